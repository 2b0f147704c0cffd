import * as Effect from "effect/Effect"
import process from "node:process"

/** Writes to stdout and waits until everything is written: a pipe may be slower than we are. */
export const writeOut = (text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stdout.write(text, () => resume(Effect.void))
  })
