import * as Effect from "effect/Effect"
import process from "node:process"
import { isGithubLog, logText } from "../render/LogText.ts"

/** Writes a report to stdout and waits until everything is written: a pipe may be slower than we are. */
export const writeOut = (text: string, format = "text"): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stdout.write(isGithubLog() ? logText(text, format) : text, () => resume(Effect.void))
  })
