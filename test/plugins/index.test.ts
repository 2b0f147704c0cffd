import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

const ROOT = new URL("../../", import.meta.url)

test("every plugin file is in the list, under its own name", () => {
  const files = readdirSync(new URL("plugins/", ROOT), { recursive: true, encoding: "utf8" }).flatMap(
    (file) => /^[a-f]-[a-z-]+\/([a-f]\d-[a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []
  )
  expect([...plugins.keys()].sort()).toEqual(files.sort())
})

test("the rubric has a criterion for each of them, and its conditions fit their facts", async () => {
  const bytes = readFileSync(new URL("rubric.yaml", ROOT))
  const { criteria, experimental } = await Effect.runPromise(loadRubric(bytes, "rubric.yaml", plugins))
  expect([...criteria, ...experimental].map(({ definition }) => definition.plugin)).toEqual([...plugins.keys()])
})

test("the rubric pins the revision that each of them is at", async () => {
  const { criteria, experimental } = await Effect.runPromise(
    loadRubric(readFileSync(new URL("rubric.yaml", ROOT)), "rubric.yaml", plugins)
  )
  const pinned = new Map(
    [...criteria, ...experimental].map(({ definition }) => [definition.plugin, definition.revision])
  )
  expect(pinned).toEqual(new Map([...plugins].map(([id, { revision }]) => [id, revision])))
})

test("only D1 and D2 read the reference pages beyond the sample", () => {
  const sources = [...plugins.keys()].map(
    (id) =>
      [
        id,
        readdirSync(new URL("plugins/", ROOT))
          .flatMap((folder) =>
            folder.startsWith(`${id.slice(0, 1)}-`)
              ? [readFileSync(new URL(`plugins/${folder}/${id}.ts`, ROOT), "utf8")]
              : []
          )
          .join("")
      ] as const
  )
  expect(sources.flatMap(([id, source]) => (/\breference(?:Pages|Search)\b/.test(source) ? [id] : []))).toEqual([
    "d1-runnable-examples",
    "d2-example-languages"
  ])
})
