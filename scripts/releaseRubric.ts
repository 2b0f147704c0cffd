/**
 * `npm run release:rubric` freezes rubric.yaml under test/rubric/released/, against which tests check later changes. A frozen
 * version does not change; until it is published, `npm run release:rubric -- --again` overwrites it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import { loadRubric } from "../engine/rubric/RubricFile.ts"
import { plugins } from "../plugins/index.ts"

const root = resolve(import.meta.dirname, "..")
const bytes = readFileSync(join(root, "rubric.yaml"))

const frozen = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  join(root, "test", "rubric", "released", `${id}-${version}.yaml`)

const release = Effect.gen(function* () {
  const { rubric } = yield* loadRubric(bytes, "rubric.yaml", plugins)
  if (rubric.draft === true)
    return yield* Effect.fail(
      new Error(`rubric.yaml is a draft of ${rubric.version}: remove "draft: true" to release it`)
    )
  const file = frozen(rubric)
  const changes = existsSync(file) && !readFileSync(file).equals(bytes)
  if (changes && !process.argv.includes("--again")) {
    return yield* Effect.fail(
      new Error(
        `${rubric.version} is frozen already: give rubric.yaml a new version, or, if ${rubric.version} has never been published, use --again`
      )
    )
  }
  writeFileSync(file, bytes)
  return `froze ${rubric.id} ${rubric.version}`
})

await Effect.runPromise(
  Effect.match(release, {
    onFailure: ({ message }) => {
      process.exitCode = 2
      console.error(message)
    },
    onSuccess: (done) => console.log(done)
  })
)
