import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeReport } from "../../../engine/audit/Report.ts"
import { sqliteAt } from "../../../engine/store/Database.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"
import { layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditOver } from "../../audit/AuditOver.ts"
import { auditFakeSite } from "../../golden/AuditFakeSite.ts"
import { goldenSites } from "../../golden/GoldenSites.ts"
import { settled, withArchives } from "../../store/archives/Archives.ts"
import { writeOldArchive } from "../../store/archives/OldLayout.ts"
import { storeAt } from "../../store/Databases.ts"
import { newRun, resultOf } from "../../store/SampleRuns.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const ROOT = resolve(import.meta.dirname, "../../..")
const own = readFileSync(join(ROOT, "rubric.yaml"), "utf8")
const folder = mkdtempSync(join(tmpdir(), "docgauge-rescore-"))
const reports = join(folder, "reports")
const later = join(folder, "later.yaml")

/** Two golden sites have too few readable pages for E1 under either rubric; the later one takes points of E1 from all others. */
const RUNS = goldenSites.length
const FALLEN = RUNS - 2

/** What E1 earns where its first level holds, and how much less where only the second does. */
const [FULL = 0, NEXT = 0] =
  Effect.runSync(loadRubric(Buffer.from(own), "rubric.yaml", plugins))
    .criteria.find(({ definition }) => definition.id === "E1")
    ?.levels.map(({ earns }) => earns) ?? []
const LOST = FULL - NEXT

/** Runs in which E1, which the later rubric changes, earns points. */
let concerned = 0

beforeAll(async () => {
  mkdirSync(reports)
  for (const site of goldenSites) {
    const report = await auditFakeSite(site)
    writeFileSync(join(reports, `${site.name}.json`), JSON.stringify(report))
    if (report.criteria.some(({ id, score }) => id === "E1" && score > 0)) concerned += 1
  }
  writeFileSync(later, own.replace("substantive >= 0.9,", "substantive >= 0.9 && pages >= 1000,"))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("docgauge rescore", () => {
  it("prints each site's scores as they are found, then what changed and why", async () => {
    const { code, stderr, stdout } = await runHere(["rescore", "--rubric", later, "--from", reports])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(
      new RegExp(
        `^100 → {2}${100 - LOST} {4}−${LOST} {2}https://docs\\.moorling-api\\.com/v2 {2}2026-11-21 {2}E1 −${LOST}$`,
        "m"
      )
    )
    expect(stdout).toContain(`\n${RUNS} runs rescored: 0 rise, ${FALLEN} fall, 2 unchanged\n`)
    expect(stdout).toMatch(new RegExp(`Changes\\n +−${LOST} {2}█+ ${FALLEN}\\n +0 {2}█+ 2\\n`))
    expect(stdout).toContain(`before: facts.substantive >= 0.9 held (${FULL} points)`)
    expect(stdout).toContain(`This change concerns ${concerned === RUNS ? "all of " : `${concerned} of `}${RUNS} runs`)
  })

  it("tells a reason that many runs share once, with the facts where they are the same", async () => {
    const { stdout } = await runHere(["rescore", "--rubric", later, "--from", reports])
    expect(stdout.split(`before: facts.substantive >= 0.9 held (${FULL} points)`)).toHaveLength(2)
    expect(stdout).not.toMatch(/facts: pages = /)
    const one = await runHere(["rescore", "--rubric", later, join(reports, "typical.json")])
    expect(one.stdout).toMatch(/facts: pages = \d+, substantive = 1/)
  })

  it("counts unreliable runs and made-up sites apart, and tells quantiles and ranks of each", async () => {
    const { stdout } = await runHere(["rescore", "--rubric", later, reports, "--format", "json"])
    const { groups } = JSON.parse(stdout).summary
    expect(groups.map(({ kind }: { readonly kind: string }) => kind)).toEqual(["reliable", "unreliable"])
    expect(groups[0].runs + groups[1].runs).toBe(RUNS)
    const synthetic = await runHere([
      "rescore",
      "--rubric",
      later,
      join(reports, "typical.json"),
      "--synthetic",
      join(reports, "excellent.json")
    ])
    expect(synthetic.stdout).toMatch(/\n {2}Runs +Rise +Fall +Average +p10 +p25 +p50 +p75 +p90\n/)
    expect(synthetic.stdout).toMatch(new RegExp(`\\n {2}Reliable +1 +0 +1 +−${LOST} `))
    expect(synthetic.stdout).toMatch(new RegExp(`\\n {2}Made-up sites +1 +0 +1 +−${LOST} +100 → ${100 - LOST} `))
  })

  it("names the sites whose verdict changes", async () => {
    const { stdout } = await runHere(["rescore", "--rubric", later, reports, "--format", "json"])
    const { runs, summary } = JSON.parse(stdout)
    const flips = runs.filter(
      ({ after, before }: Record<"after" | "before", { readonly verdict: string }>) => after.verdict !== before.verdict
    )
    expect(summary.verdicts.flatMap(({ sites }: { readonly sites: ReadonlyArray<unknown> }) => sites)).toHaveLength(
      flips.length
    )
  })

  it("tells what runs say of criteria on trial, in every format", async () => {
    const rescored = (format: string) => runHere(["rescore", reports, "--format", format])
    const text = await rescored("text")
    const markdown = await rescored("markdown")
    const json = await rescored("json")
    expect(text.stdout).toMatch(
      /\n {2}On trial +Points +Present +Partial +Absent +Inconclusive +Does not apply +Not measured\n/
    )
    expect(text.stdout).toMatch(/\n {2}E5 facts \(least, quartiles, most\): substantive_pages \d+, \d+, \d+, \d+, \d+;/)
    expect(markdown.stdout).toMatch(/\n\| E5 .* \| 2 \| \d+ \| \d+ \| \d+ \| \d+ \| \d+ \| 0 \|\n/)
    const { runs, summary } = JSON.parse(json.stdout)
    expect(summary.trials.map(({ id }: { readonly id: string }) => id)).toEqual(["B6", "E5"])
    expect(runs[0].trials).toMatchObject([{ id: "B6" }, { id: "E5" }])
  })

  it("judges as if a criterion on trial were promoted, and says what pays for it", async () => {
    const { stdout } = await runHere(["rescore", reports, "--promote", "E5", "--format", "json"])
    const { promotion, runs } = JSON.parse(stdout)
    expect(promotion).toMatchObject({ criteria: [{ id: "E5", points: 2 }], total: 102 })
    for (const { after, before, moves, statuses } of runs) {
      const earned = moves.find(({ id }: { readonly id: string }) => id === "E5")?.after.score ?? 0
      expect(after.score).toBe(Math.round(((before.score + earned) * 100) / 102))
      expect(statuses.at(-1)).toMatchObject({ id: "E5" })
    }
    const text = await runHere(["rescore", reports, "--promote", "E5"])
    expect(text.stdout.replaceAll(/\s+/g, " ")).toContain(
      "No criterion is named that pays for it, so totals are out of 102 and scaled to 100: every point of the rubric is worth 0.98."
    )
  })

  it("refuses to promote what is not on trial", async () => {
    expect(await runHere(["rescore", reports, "--promote", "A1"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("A1 is not on trial, so it cannot be promoted. On trial: B6, E5.")
    })
  })

  it("reads the newest run of every site from a database of the service", async () => {
    const path = join(folder, "runs.db")
    await Effect.runPromise(
      Effect.gen(function* () {
        const store = yield* RunStore
        for (const site of goldenSites) {
          const report = yield* Effect.promise(() => auditFakeSite(site))
          const { id } = yield* store.accept(newRun(new URL(report.base_url).hostname, { url: report.base_url }))
          yield* store.begin(id, "test")
          yield* store.finish(
            { id, worker: "test", attempt: 1 },
            resultOf(report.total_score, { encoded: encodeReport(report) })
          )
        }
      }).pipe(Effect.provide(storeAt(sqliteAt(path))))
    )
    const { code, stderr, stdout } = await runCli(["rescore", "--rubric", later, "--from", path])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain(`\n${RUNS} runs rescored: 0 rise, ${FALLEN} fall, 2 unchanged\n`)
  })

  it("measures runs of a database that older plugins measured again from the service's archives, and guesses none whose archive is gone", async () => {
    const data = join(folder, "data")
    const path = join(data, "runs.db")
    mkdirSync(data)
    const archives = join(data, "archives")
    const recorded = await Promise.all(
      goldenSites.slice(0, 2).map(async ({ site, url }) => {
        const audited = await Effect.runPromise(auditOver(layerFakeSite(site, { host: new URL(url).origin }), url))
        return {
          url,
          archive: await Effect.runPromise(audited.archive),
          report: Result.getOrThrow(audited.result).report
        }
      })
    )
    await Effect.runPromise(
      Effect.gen(function* () {
        const store = yield* RunStore
        for (const [index, { archive, report, url }] of recorded.entries()) {
          const { id } = yield* store.accept(newRun(new URL(url).hostname, { url }))
          yield* store.begin(id, "test")
          const older = {
            ...report,
            criteria: report.criteria.map((result) => ({ ...result, measured: { ...result.measured, revision: 0 } }))
          }
          yield* store.finish(
            { id, worker: "test", attempt: 1 },
            resultOf(report.total_score, { encoded: encodeReport(older) })
          )
          if (index > 0) continue
          writeOldArchive(archives, { id, site: new URL(url).hostname }, archive)
        }
      }).pipe(Effect.provide(storeAt(sqliteAt(path))))
    )
    const [first] = recorded
    const outcome = (stdout: string) => JSON.parse(stdout).runs
    expect(outcome((await runHere(["rescore", path, "--format", "json"])).stdout)).toMatchObject([
      { replayed: true, after: { score: first?.report.total_score } },
      { reason: "A1, A2, A3, A4, A5 and 25 more were measured by another plugin or revision, and there is no archive" }
    ])
    // With the layout of earlier versions, and after the service has taken it in.
    expect(existsSync(join(archives, "runs"))).toBe(true)
    await Effect.runPromise(
      withArchives({ folder: archives, server: null }, settled({ folder: archives, server: null })).pipe(
        Effect.provide(storeAt(sqliteAt(path)))
      )
    )
    expect(existsSync(join(archives, "runs"))).toBe(false)
    expect(outcome((await runHere(["rescore", path, "--format", "json"])).stdout)).toMatchObject([
      { replayed: true, after: { score: first?.report.total_score } },
      { reason: expect.stringContaining("there is no archive") }
    ])
    const elsewhere = await runHere(["rescore", path, "--archives", join(folder, "nowhere"), "--format", "json"])
    expect(outcome(elsewhere.stdout)).toMatchObject([
      { reason: expect.stringContaining("there is no archive") },
      { reason: expect.stringContaining("there is no archive") }
    ])
  })

  it("writes Markdown for a pull request", async () => {
    const { stdout } = await runHere(["rescore", "--rubric", later, "--from", reports, "--format", "markdown"])
    expect(stdout).toContain(`**${RUNS}** runs rescored: **0** rise, **${FALLEN}** fall, 2 unchanged.`)
    expect(stdout).toContain(`| Change | −${LOST} | 0 |\n| --- | --- | --- |\n| Runs | ${FALLEN} | 2 |`)
    expect(stdout).toContain(
      `before: \`facts.substantive >= 0.9\` held (${FULL} points)<br>now: \`facts.substantive >= 0.9 && facts.pages >= 1000\` did not hold (${FULL} points)`
    )
    expect(stdout).toContain(
      "<summary>All criteria</summary>\n\n| Criterion | Present | Partial | Absent | Inconclusive |"
    )
    expect([...stdout.matchAll(/^\| [A-F]\d .*? \| \d+(?: → \*\*\d+\*\*)? \| .* \|$/gm)].length).toBeGreaterThanOrEqual(
      30
    )
    expect(stdout.length).toBeLessThan(65_000)
  })

  it("writes JSON with every run and the totals", async () => {
    const { stdout } = await runHere(["rescore", "--rubric", later, "--from", reports, "--format", "json"])
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        { site: "https://docs.sproutcast-app.com" },
        { site: "https://docs.moorling-api.com/v2", moves: [{ id: "E1" }] },
        ...goldenSites.slice(2).map(() => ({}))
      ],
      summary: {
        rescored: RUNS,
        lowered: FALLEN,
        distribution: [
          { change: -LOST, runs: FALLEN },
          { change: 0, runs: 2 }
        ]
      }
    })
  })

  it("lists what it cannot compare, and continues", async () => {
    const mixed = join(folder, "mixed")
    mkdirSync(mixed)
    copyFileSync(join(reports, "typical.json"), join(mixed, "a.json"))
    writeFileSync(join(mixed, "b.json"), "{}")
    writeFileSync(join(mixed, "c.jsonl"), `${readFileSync(join(reports, "poor.json"), "utf8")}\nnot JSON\n`)
    writeFileSync(join(mixed, "d.warc.gz"), "not gzip")
    const { code, stdout } = await runHere(["rescore", mixed, join(folder, "none"), "--format", "json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        { name: join(mixed, "a.json"), moves: [] },
        { name: join(mixed, "b.json"), reason: "it is not a docgauge report" },
        { name: `${join(mixed, "c.jsonl")}:1`, moves: [] },
        { name: `${join(mixed, "c.jsonl")}:2`, reason: "it is not a docgauge report" },
        { name: join(mixed, "d.warc.gz"), reason: expect.stringContaining("its archive cannot be used") },
        { name: join(folder, "none"), reason: "no such file or folder" }
      ],
      summary: { rescored: 2, notComparable: 4 }
    })
  })

  it("requires runs and a valid rubric", async () => {
    expect(await runHere(["rescore", "--rubric", later])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no runs given")
    })
    const wrong = join(folder, "wrong.yaml")
    writeFileSync(wrong, "format: 1\n")
    expect(await runHere(["rescore", "--rubric", wrong, reports])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("wrong.yaml:1:1")
    })
  })
})

describe("docgauge compare of two reports of ours", () => {
  it("separates the rubric's changes from the site's if the rubrics differ", async () => {
    const [older, newer] = [join(folder, "older.json"), join(reports, "excellent.json")]
    const text = readFileSync(newer, "utf8")
    writeFileSync(
      older,
      text
        .replace(/"digest":"sha256:[0-9a-f]+"/, '"digest":"sha256:other"')
        .replace('"audit_date":"2026-11-21"', '"audit_date":"2026-10-01"')
    )
    const { stdout } = await runCli(["compare", newer, older])
    expect(stdout).toContain("Before (2026-10-01) 100, after (2026-11-21) 100 (0); 30 of 30 criteria are as before.")
    expect(stdout).toContain("The reports were judged by different rubrics")
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "From 100 to 100: the rubric 0 (the older facts score 100 under the newer rubric), the site 0."
    )
    const unknown = await runHere(["compare", older, newer, "--rubric", later])
    expect(unknown.stdout.replace(/\s+/g, " ")).toContain("the newer rubric is unknown. Pass it with --rubric.")
  })
})
