import { execFile } from "node:child_process"
import process from "node:process"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"

/** How a run of the program ended. */
export interface CliRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `docgauge` in a process of its own, without a terminal. */
export const runCli = (
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly cli?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<CliRun> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      [options.cli ?? PROGRAM, ...args],
      { cwd: options.cwd ?? process.cwd(), env: options.env ?? process.env, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 130
        done({ code, stdout, stderr })
      }
    )
  })
