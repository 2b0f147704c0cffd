import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runAudit } from "../../../engine/audit/Audit.ts"
import { runInfoOf } from "../../../engine/audit/AuditRequest.ts"
import { writeArchive } from "../../../engine/evidence/archive/Recording.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { plugins } from "../../../plugins/index.ts"
import { runHere } from "../RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-try-"))
afterAll(() => rmSync(folder, { recursive: true }))

const HOUSE = `extends: docs-ai-readiness@3
experimental:
  - id: D8
    category: D
    measure: { pages: { select: "meta[name=owner]", attribute: content } }
    title: Name the owner of each page
    points: 2
    levels:
      - { status: present, earns: 2, when: "facts.matching >= 0.9" }
      - { status: absent, earns: 0 }
    why: Somebody answers for each page.
    how: We look for a meta element.
    remedy: { effort: low, steps: [Name the owner.] }
    references: [{ title: "HTML: meta", url: "https://html.spec.whatwg.org/multipage/semantics.html" }]
`

const page = (head: string, links: string): string =>
  `<!doctype html><html lang="en"><head><title>Docs</title>${head}</head><main><h1>Orders</h1><p>How to place an order.</p>${links}</main></html>`

const OWNER = '<meta name="owner" content="Docs team">'

/** Records an audit of a small site by the built-in rubric. */
const record = (name: string, second: string) =>
  Effect.gen(function* () {
    const file = resolve(import.meta.dirname, "../../../rubric.yaml")
    const rubric = yield* loadRubric(readFileSync(file), file, plugins)
    const host = `https://docs.${name}.com`
    const site: FakeSite = { "/": page(OWNER, '<a href="/second">Second</a>'), "/second": page(second, "") }
    const request = { url: host, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric }
    const { journal } = yield* runAudit(request).pipe(
      Effect.provide(Layer.mergeAll(layerFakeSite(site, { host }), ParserPool.layerInline))
    )
    const info = runInfoOf(request, defaultLimits, userAgents("1.0.0", null))
    yield* writeArchive(join(folder, `${name}.warc.gz`), info, journal)
  }).pipe(Effect.runPromise)

const house = join(folder, "house.yaml")

beforeAll(async () => {
  await record("owned", OWNER)
  await record("orphaned", "")
  writeFileSync(house, HOUSE)
})

describe("docgauge rubric try", () => {
  const archives = ["--on", join(folder, "owned.warc.gz"), join(folder, "orphaned.warc.gz")]

  it("prints facts, level and first finding of the file's own criteria on each recorded site", async () => {
    const { code, stderr, stdout } = await runHere(["rubric", "try", house, ...archives, "--no-color"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toBe(`D8 Name the owner of each page
  present        2/2  https://docs.owned.com     pages=2 matching=1
    All 2 sampled pages have meta[name=owner] with content.
  absent         0/2  https://docs.orphaned.com  pages=2 matching=0.5
    1 of 2 sampled pages has meta[name=owner] with content.
  2 sites: 1 present, 0 partial, 1 absent, 0 inconclusive
`)
  })

  it("says of a site to which a criterion does not apply that it does not", async () => {
    const api = join(folder, "api.yaml")
    writeFileSync(api, HOUSE.replace("    why:", "    applies: site.http_api\n    why:"))
    const { stdout } = await runHere(["rubric", "try", api, ...archives, "--no-color"])
    expect(stdout).toContain("  present        2/2  https://docs.owned.com ")
    expect(stdout).toContain("  not for it       –  https://docs.orphaned.com ")
    expect(stdout).toContain("2 sites: 1 present, 0 partial, 0 absent, 0 inconclusive, 1 to which it does not apply")
  })

  it("prints the same as JSON, for any criterion of the rubric", async () => {
    const { stdout } = await runHere(["rubric", "try", house, ...archives, "--criterion", "e1", "--format", "json"])
    const { rubric, runs } = JSON.parse(stdout)
    expect(rubric.id).toBe("docs-ai-readiness")
    expect(runs).toMatchObject([
      { site: "https://docs.owned.com", date: "2026-11-21", criteria: [{ id: "E1", facts: { pages: 2 } }] },
      { site: "https://docs.orphaned.com", criteria: [{ id: "E1" }] }
    ])
  })

  it("says which file is no archive, and fails if none is", async () => {
    writeFileSync(join(folder, "notes.txt"), "Notes")
    const notes = ["--on", join(folder, "notes.txt")]
    const some = await runHere(["rubric", "try", house, ...archives, ...notes])
    expect([some.code, some.stdout]).toEqual([0, expect.stringContaining("notes.txt: it is not a report")])
    expect(await runHere(["rubric", "try", house, ...notes])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none of these could be measured again")
    })
    expect(await runHere(["rubric", "try", house])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no archives given")
    })
    expect(await runHere(["rubric", "try", house, ...archives, "--criterion", "D9"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no criterion "D9"')
    })
  })
})
