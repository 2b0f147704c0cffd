#!/usr/bin/env node
import process from "node:process"
import { Readable } from "node:stream"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { cacheCompiledCode, serviceCacheFolders, userCacheFolder } from "../engine/process/CompileCache.ts"
import { databaseUrlFlag, startsService, startsServer } from "./Commands.ts"
import { forwardOutput, unwritable } from "./io/CommandChannel.ts"

const [, , ...args] = process.argv
const printsVersion = args.length === 1 && args[0] === "--version"

// A version is printed sooner without it.
if (!printsVersion)
  cacheCompiledCode(startsService(args) ? serviceCacheFolders(databaseUrlFlag(args)) : [userCacheFolder()])

/** Servers run in this thread, other commands in their own, which this thread can end at any moment. */
const run = async (args: ReadonlyArray<string>): Promise<void> => {
  if (startsServer(args)) await (await import("./Program.ts")).runProgram(args)
  else (await import("./Supervisor.ts")).superviseCommand(args)
}

if (printsVersion) {
  // console.log would ignore a full disk.
  forwardOutput(Readable.from([`docgauge ${ENGINE_VERSION}\n`]), process.stdout, (error) => {
    process.stderr.write(`docgauge: ${unwritable(error)}\n`)
    process.exitCode = 2
  })
}
// The wizard reads keys, which a thread does not get.
else if (args.includes("--wizard")) {
  const chosen = await (await import("./Program.ts")).runWizard(args)
  if (chosen !== null) await run(chosen)
} else await run(args)
