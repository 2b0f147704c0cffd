import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { loadRecipes } from "../../engine/rubric/recipes/Recipes.ts"
import { GENERATORS, prepare, write } from "./Generators.ts"
import { SITE } from "./Sources.ts"

const ROOT = resolve(import.meta.dirname, "../..")

const Report = Schema.Struct({
  total_score: Schema.Number,
  criteria: Schema.Array(Schema.Struct({ id: Schema.String, score: Schema.Number }))
})
type Report = typeof Report.Type

const docgauge = async (...argv: ReadonlyArray<string>): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "cli", "main.ts"), ...argv], {
    cwd: ROOT,
    maxBuffer: 1e8
  })
  return JSON.parse(stdout)
}

const audit = async (folder: string): Promise<Report> =>
  Schema.decodeUnknownSync(Report)(await docgauge(folder, "--as", SITE, "--format", "json"))

const scoreOf = (report: Report, id: string): number =>
  report.criteria.find((criterion) => criterion.id === id)?.score ?? 0

/** What is in a folder, file by file. */
const contentsOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files = (await readdir(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Promise.all(
    files.map(
      async (file) =>
        `${relative(folder, file)} ${createHash("sha256")
          .update(await readFile(file))
          .digest("hex")}`
    )
  )
}

const IDS = Array.from("ABCDEF", (letter) => [1, 2, 3, 4, 5, 6, 7].map((number) => `${letter}${number}`)).flat()
const book = await Effect.runPromise(loadRecipes(readFileSync(join(ROOT, "recipes.yaml")), "recipes.yaml", IDS))

describe.each(GENERATORS)("a site built with $tool", (generator) => {
  let folder = ""
  let missing: string | null = null
  let before: Report = { total_score: 0, criteria: [] }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `docgauge-build-${generator.tool}-`))
    await write(folder, { ...generator.sources, ...generator.plain })
    missing = await prepare(generator, folder)
    if (missing !== null) return
    await generator.build(folder, "plain")
    before = await audit(join(folder, "plain"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test("gains by its recipe in every criterion that the recipe names, and loses in none", async ({ skip }) => {
    if (missing !== null) return skip(missing)
    await write(folder, generator.recipe)
    await generator.build(folder, "recipe")
    const after = await audit(join(folder, "recipe"))
    const promised =
      book.tools
        .find(({ id }) => id === generator.tool)
        ?.recipes.filter(({ tried }) => tried)
        .flatMap(({ criteria }) => criteria) ?? []
    expect(promised.length).toBeGreaterThan(0)
    expect(promised.filter((id) => scoreOf(after, id) <= scoreOf(before, id))).toEqual([])
    expect(after.criteria.filter(({ id, score }) => score < scoreOf(before, id)).map(({ id }) => id)).toEqual([])
  })

  test("gains by fix --patch exactly what it promises, loses in no criterion, and has the same files a second time", async ({
    skip
  }) => {
    if (missing !== null) return skip(missing)
    const patched = join(folder, "patched")
    await cp(join(folder, "plain"), patched, { recursive: true })
    const patch = () =>
      docgauge("fix", patched, "--as", SITE, "--patch", patched, "--ai", "search-only", "--format", "json")
    const { after } = Schema.decodeUnknownSync(Schema.Struct({ after: Report }))(await patch())
    const audited = await audit(patched)
    expect(audited.criteria.map(({ id, score }) => `${id}: ${score}`)).toEqual(
      after.criteria.map(({ id, score }) => `${id}: ${score}`)
    )
    expect(audited.total_score).toBeGreaterThan(before.total_score)
    expect(audited.criteria.filter(({ id, score }) => score < scoreOf(before, id)).map(({ id }) => id)).toEqual([])
    const once = await contentsOf(patched)
    await patch()
    expect(await contentsOf(patched)).toEqual(once)
  })
})
