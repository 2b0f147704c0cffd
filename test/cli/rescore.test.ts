import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeReport } from "../../engine/audit/Report.ts"
import { RunStore } from "../../engine/store/RunStore.ts"
import { auditFakeSite } from "../sites/AuditFakeSite.ts"
import { goldenSites } from "../sites/GoldenSites.ts"
import { storeAt } from "../store/Databases.ts"
import { newRun, resultOf } from "../store/SampleRuns.ts"
import { runCli } from "./RunCli.ts"

const ROOT = resolve(import.meta.dirname, "..", "..")
const own = readFileSync(join(ROOT, "rubric.yaml"), "utf8")
const folder = mkdtempSync(join(tmpdir(), "docgauge-rescore-"))
const reports = join(folder, "reports")
const later = join(folder, "later.yaml")

beforeAll(async () => {
  mkdirSync(reports)
  for (const site of goldenSites) writeFileSync(join(reports, `${site.name}.json`), JSON.stringify(await auditFakeSite(site)))
  writeFileSync(later, own.replace("facts.substantive >= 0.9", "facts.substantive >= 0.9 && facts.pages >= 1000"))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("docgauge rescore", () => {
  it("prints each site's scores as they are found, then what moved and why", async () => {
    const { code, stderr, stdout } = await runCli(["rescore", "--rubric", later, "--from", reports])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^100 → {2}98 {4}−2 {2}https:\/\/docs\.moorling-api\.com\/v2 {2}2026-11-21 {2}E1 −2$/m)
    expect(stdout).toMatch(/^5 runs judged again: 0 rise, 3 fall, 2 stay; −1\.2 points on average$/m)
    expect(stdout).toMatch(/Changes\n +−2 {2}█+ 3\n +0 {2}█+ 2\n/)
    expect(stdout).toContain("before: facts.substantive >= 0.9 held (6 points)")
    expect(stdout).toMatch(/facts: pages = \d+, substantive = 1/)
  })

  it("reads the newest run of every site from a database of the service", async () => {
    const path = join(folder, "runs.db")
    await Effect.runPromise(Effect.gen(function*() {
      const store = yield* RunStore
      for (const site of goldenSites) {
        const report = yield* Effect.promise(() => auditFakeSite(site))
        const { id } = yield* store.accept(newRun(new URL(report.base_url).hostname, { url: report.base_url }))
        yield* store.begin(id, "test")
        yield* store.finish({ id, worker: "test", attempt: 1 }, resultOf(report.total_score, { encoded: encodeReport(report) }))
      }
    }).pipe(Effect.provide(storeAt({ _tag: "Sqlite", path }))))
    const { code, stderr, stdout } = await runCli(["rescore", "--rubric", later, "--from", path])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^5 runs judged again: 0 rise, 3 fall, 2 stay; −1\.2 points on average$/m)
  })

  it("writes Markdown for a pull request", async () => {
    const { stdout } = await runCli(["rescore", "--rubric", later, "--from", reports, "--format", "markdown"])
    expect(stdout).toContain("**5** runs judged again: **0** rise, **3** fall, 2 stay; −1.2 points on average.")
    expect(stdout).toContain("| Change | −2 | 0 |\n| --- | --- | --- |\n| Runs | 3 | 2 |")
    expect(stdout).toContain("before: `facts.substantive >= 0.9` held (6 points)<br>now: `facts.substantive >= 0.9 && facts.pages >= 1000` did not hold (6 points)")
    expect(stdout.length).toBeLessThan(65_000)
  })

  it("writes JSON with every run and the sums", async () => {
    const { stdout } = await runCli(["rescore", "--rubric", later, "--from", reports, "--format", "json"])
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ site: "https://docs.sproutcast-app.com" }, { site: "https://docs.moorling-api.com/v2", moves: [{ id: "E1" }] }, {}, {}, {}],
      summary: { rescored: 5, lowered: 3, distribution: [{ change: -2, runs: 3 }, { change: 0, runs: 2 }] }
    })
  })

  it("lists what it cannot compare, and goes on", async () => {
    const mixed = join(folder, "mixed")
    mkdirSync(mixed)
    copyFileSync(join(reports, "typical.json"), join(mixed, "a.json"))
    writeFileSync(join(mixed, "b.json"), "{}")
    writeFileSync(join(mixed, "c.jsonl"), `${readFileSync(join(reports, "poor.json"), "utf8")}\nnot JSON\n`)
    writeFileSync(join(mixed, "d.warc.gz"), "not gzip")
    const { code, stdout } = await runCli(["rescore", mixed, join(folder, "none"), "--format", "json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        { name: join(mixed, "a.json"), moves: [] },
        { name: join(mixed, "b.json"), reason: "it is not a report of docgauge" },
        { name: `${join(mixed, "c.jsonl")}:1`, moves: [] },
        { name: `${join(mixed, "c.jsonl")}:2`, reason: "it is not a report of docgauge" },
        { name: join(mixed, "d.warc.gz"), reason: expect.stringContaining("the archive cannot be used") },
        { name: join(folder, "none"), reason: "there is no such file or folder" }
      ],
      summary: { rescored: 2, notComparable: 4 }
    })
  })

  it("wants to know which runs, and a rubric that is in order", async () => {
    expect(await runCli(["rescore", "--rubric", later])).toMatchObject({ code: 2, stderr: expect.stringContaining("which runs?") })
    const wrong = join(folder, "wrong.yaml")
    writeFileSync(wrong, "format: 1\n")
    expect(await runCli(["rescore", "--rubric", wrong, reports])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("wrong.yaml:1:1") })
  })
})

describe("docgauge compare of two reports of ours", () => {
  it("tells the rubric's part from the site's, where the rubrics differ", async () => {
    const [older, newer] = [join(folder, "older.json"), join(reports, "excellent.json")]
    const text = readFileSync(newer, "utf8")
    writeFileSync(older, text.replace(/"digest":"sha256:[0-9a-f]+"/, '"digest":"sha256:other"').replace('"audit_date":"2026-11-21"', '"audit_date":"2026-10-01"'))
    const { stdout } = await runCli(["compare", newer, older])
    expect(stdout).toContain("The reports were judged by different rubrics")
    expect(stdout.replace(/\s+/g, " ")).toContain("From 100 to 100: the rubric 0 (the older facts come to 100 under the newer rubric), the site 0.")
    const unknown = await runCli(["compare", older, newer, "--rubric", later])
    expect(unknown.stdout.replace(/\s+/g, " ")).toContain("the newer rubric is not at hand. Give it with --rubric.")
  })
})
