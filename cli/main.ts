#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"

// What was compiled once is not compiled again: clients of `mcp` wait for its start.
enableCompileCache()

const [, , ...args] = process.argv

// Were V8's young generation to grow, audits would be done 5 % sooner, and take 45 MB more of sites that send too much: more
// than the 400 MB that they may. But threads that start with 1 MB of it copy what they read of a page over and over, and those
// that begin with small heaps go through them whole while they read the first pages. What serves keeps V8's own ways.
if (args[0] !== "serve" && args[0] !== "mcp") setFlagsFromString("--semi-space-growth-factor=1 --min-semi-space-size=8 --initial-old-space-size=64")

/** No name of a command; help is of the whole program. */
const startsWithAddress = ([first = "", ...others]: ReadonlyArray<string>): boolean =>
  /^https?:/i.test(first) && !others.some((other) => /^(?:-h|--help|--completions)(?:=|$)/.test(other))

// `--version` answers before anything heavy is loaded.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) console.log(`docgauge ${ENGINE_VERSION}`)
else if (args[0] === "mcp") (await import("./DocgaugeMcp.ts")).run(args)
else if (args[0] === "serve") (await import("./DocgaugeServe.ts")).run(args)
else if (startsWithAddress(args)) {
  // It gets ready while the rest is being loaded: what the first page says is what all else waits for.
  const pageReader = (await import("../engine/site/ReaderThreads.ts")).startPageReader()
  const { run } = await import("./DocgaugeAudit.ts")
  run(args, pageReader)
}
else (await import("./Docgauge.ts")).run(args)
