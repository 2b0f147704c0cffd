#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import process from "node:process"
import { Readable } from "node:stream"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { startsServer } from "./Commands.ts"
import { forwardOutput, unwritable } from "./OutputForwarding.ts"

enableCompileCache()

const [, , ...args] = process.argv

if (args.length === 1 && args[0] === "--version") {
  // console.log would ignore a full disk.
  forwardOutput(Readable.from([`docgauge ${ENGINE_VERSION}\n`]), process.stdout, (error) => {
    process.stderr.write(`docgauge: ${unwritable(error)}\n`)
    process.exitCode = 2
  })
}
// The wizard reads keys, which a thread does not get.
else if (startsServer(args) || args.includes("--wizard")) await (await import("./Program.ts")).runProgram(args)
// Other commands run in their own thread, which the main thread can end at any moment.
else (await import("./Supervisor.ts")).superviseCommand(args)
