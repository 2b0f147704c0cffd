import * as Effect from "effect/Effect"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { OutputFile } from "../../engine/fix/plan/OutputFiles.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

const PLAN = "PLAN.md"

/** Begins the plan, and so marks a folder as ours. */
const MARK = "<!-- docgauge fix -->\n"

/** Writes the files and the plan. What an earlier run wrote is replaced; a folder with anything else is refused. */
export const writeOutput = (folder: string, files: ReadonlyArray<OutputFile>, plan: string): Effect.Effect<void, CliFailure> =>
  Effect.gen(function*() {
    const there = yield* Effect.promise(() => readdir(folder).catch((): ReadonlyArray<string> => []))
    const own = yield* Effect.promise(() => readFile(join(folder, PLAN), "utf8").catch(() => ""))
    if (there.length > 0 && !own.startsWith(MARK)) return yield* wrongUsage(`${plainText(folder, 200)} has files that we did not write. Choose an empty folder with --out.`)
    yield* Effect.tryPromise({
      try: async () => {
        for (const part of ["site", "head", "host"]) await rm(join(folder, part), { recursive: true, force: true })
        for (const { path, text } of files) {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), text)
        }
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, PLAN), `${MARK}${plan}`)
      },
      catch: (error) => wrongUsage(`cannot write to ${plainText(folder, 200)}: ${error instanceof Error ? plainText(error.message, 200) : "unknown error"}.`)
    })
  })
