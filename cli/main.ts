#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import process from "node:process"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { startsServer } from "./Commands.ts"

enableCompileCache()

const [, , ...args] = process.argv

if (args.length === 1 && args[0] === "--version") console.log(`docgauge ${ENGINE_VERSION}`)
else if (startsServer(args)) await (await import("./Program.ts")).runProgram(args)
// Other commands run in their own thread, which the main thread can end at any moment.
else (await import("./Supervisor.ts")).superviseCommand(args)
