/**
 * `npm run norms` lists the norms of norms.yaml that have a newer version than the one we know, whose newer version our criteria do
 * not follow yet, or that were not checked for 90 days. It exits with 1 if there are any, and says what it could not ask.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import { loadNorms } from "./Norms.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import type { ReleaseHosts } from "./AskReleases.ts"
import { normLines, normStates } from "./NormReport.ts"

const ROOT = resolve(import.meta.dirname, "../..")

const HOSTS: ReleaseHosts = {
  github: "https://api.github.com",
  // The one that npm is set up with.
  npm: execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, ""),
  rfcEditor: "https://www.rfc-editor.org",
  datatracker: "https://datatracker.ietf.org"
}

const report = Effect.gen(function* () {
  const { criteria, experimental } = yield* loadRubric(
    readFileSync(resolve(ROOT, "rubric.yaml")),
    "rubric.yaml",
    plugins
  )
  const ids = [...criteria, ...experimental].map(({ definition }) => definition.id)
  const book = yield* loadNorms(readFileSync(resolve(ROOT, "norms.yaml")), "norms.yaml", ids)
  return yield* normStates(book, HOSTS, new Date().toISOString().slice(0, "2026-11-28".length))
})

await Effect.runPromise(
  Effect.match(report, {
    onFailure: ({ message }) => {
      process.exitCode = 2
      console.error(message)
    },
    onSuccess: (states) => {
      process.exitCode = states.some(({ older }) => older.length > 0) ? 1 : 0
      for (const line of normLines(states)) console.log(line)
    }
  })
)
