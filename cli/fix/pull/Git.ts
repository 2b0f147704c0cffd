import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import process from "node:process"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"

/** Output of git that is read: the paths of a large repository. */
const MOST_OUTPUT = 64 * 1024 * 1024

/** Runs git in a folder, with `input` as what it reads; fails with its first line of errors. */
export const git = (
  folder: string,
  args: ReadonlyArray<string>,
  input: Uint8Array | null = null
): Effect.Effect<string, CliFailure> =>
  Effect.flatMap(
    Effect.promise(
      () =>
        new Promise<{ readonly error: string | null; readonly stdout: string }>((resolve) => {
          const child = execFile(
            "git",
            ["-C", folder, ...args],
            { maxBuffer: MOST_OUTPUT, env: { ...process.env, LC_ALL: "C" } },
            (error, stdout, stderr) =>
              resolve({
                error:
                  error === null ? null : ((stderr.trim() === "" ? error.message : stderr.trim()).split("\n")[0] ?? ""),
                stdout
              })
          )
          child.stdin?.on("error", () => {})
          if (input !== null) child.stdin?.end(input)
        })
    ),
    ({ error, stdout }) =>
      error === null
        ? Effect.succeed(stdout)
        : Effect.fail(wrongUsage(`git ${args[0] ?? ""} failed: ${plainText(error, 300)}`))
  )

/** As `git`, where failing is an answer: `null`. */
export const gitOrNull = (folder: string, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.orElseSucceed(git(folder, args), () => null)
