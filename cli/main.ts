#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"

// What was compiled once is not compiled again: clients of `mcp` wait for its start.
enableCompileCache()

const [, , ...args] = process.argv

// `--version` answers before anything heavy is loaded.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) console.log(`docgauge ${ENGINE_VERSION}`)
else if (args[0] === "mcp") (await import("./DocgaugeMcp.ts")).run(args)
else if (args[0] === "serve") (await import("./DocgaugeServe.ts")).run(args)
// A command runs in a thread of its own, so that this one can end it at any moment.
else (await import("./Supervisor.ts")).superviseCommand(args)
