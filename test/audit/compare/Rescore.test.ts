import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runAudit } from "../../../engine/audit/Audit.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { type EarlierRubric, rescoreRun } from "../../../engine/audit/compare/Rescore.ts"
import { runInfoOf } from "../../../engine/audit/AuditRequest.ts"
import type { StoredRun } from "../../../engine/audit/StoredRun.ts"
import type { BoundCriterion } from "../../../engine/plugin/Registry.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import { writeArchive } from "../../../engine/evidence/archive/Recording.ts"
import { openArchive } from "../../../engine/evidence/archive/Replay.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { type LoadedRubric, loadRubric, readUnbound } from "../../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { plugins } from "../../../plugins/index.ts"
import { AUDIT_DATE } from "../../golden/AuditFakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../../golden/typical/Site.ts"

const text = readFileSync(new URL("../../../rubric.yaml", import.meta.url), "utf8")

const load = (yaml: string): LoadedRubric<BoundCriterion> =>
  Effect.runSync(loadRubric(new TextEncoder().encode(yaml), "rubric.yaml", plugins))

const edited = (from: string, to: string, yaml = text): string => {
  if (!yaml.includes(from)) throw new Error(`rubric.yaml has no "${from}"`)
  return yaml.replace(from, () => to)
}

const rubric = load(text)
const own: EarlierRubric = {
  rubric: Effect.runSync(readUnbound(new TextEncoder().encode(text), "rubric.yaml")),
  loaded: rubric
}
/** What E1 earns where its first level holds, where the second does, and what lies between. */
const [FULL = 0, NEXT = 0] =
  rubric.criteria.find(({ definition }) => definition.id === "E1")?.levels.map(({ earns }) => earns) ?? []
const LOST = FULL - NEXT

const known = new Map([[rubric.digest, own]])

const folder = mkdtempSync(join(tmpdir(), "docgauge-rescore-"))
const file = join(folder, "typical.warc.gz")
const archive: NonNullable<StoredRun["archive"]> = Effect.mapError(openArchive(file), ({ message }) => message)

const audit = (by: LoadedRubric<BoundCriterion>) => {
  const request = { url: TYPICAL_URL, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, rubric: by }
  const site = layerFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
  return Effect.map(
    runAudit(request).pipe(Effect.provide(Layer.mergeAll(site, ParserPool.layerInline))),
    ({ journal, report }) => ({ report, journal, info: runInfoOf(request, defaultLimits, userAgents("0.0.0", null)) })
  )
}

const recorded: { report: AuditReport | null } = { report: null }

const reportOf = (): AuditReport => {
  if (recorded.report === null) throw new Error("nothing was recorded")
  return recorded.report
}

beforeAll(async () => {
  const { info, journal, report } = await Effect.runPromise(audit(rubric))
  await Effect.runPromise(writeArchive(file, info, journal))
  recorded.report = report
})
afterAll(() => rmSync(folder, { recursive: true }))

const rescore = (
  run: Omit<StoredRun, "name">,
  by: LoadedRubric<BoundCriterion>,
  earlier: ReadonlyMap<string, EarlierRubric> = known
) =>
  Effect.runPromise(
    rescoreRun({ name: "typical", ...run }, { rubric: by, earlier }).pipe(Effect.provide(ParserPool.layerInline))
  )

/** An archive that must not be opened. */
const untouched: NonNullable<StoredRun["archive"]> = Effect.die(new Error("the archive was opened"))

const stored = (id: string) => {
  const result = reportOf().criteria.find((criterion) => criterion.id === id)
  if (result === undefined) throw new Error(`no ${id}`)
  return result
}

describe("a run judged again", () => {
  it("by its own rubric comes to what it came to", async () => {
    const outcome = await rescore({ report: reportOf(), archive: untouched }, rubric)
    expect(outcome).toMatchObject({
      _tag: "Rescored",
      before: { score: reportOf().total_score },
      after: { score: reportOf().total_score, verdict: reportOf().verdict },
      replayed: false,
      moves: []
    })
  })

  it("by another threshold is judged from its facts, without its archive, and says what decided", async () => {
    const stricter = load(
      edited(
        "0: documents >= 1 }",
        "0: documents >= 100 }",
        edited("substantive >= 0.9,", "substantive >= 0.9 && pages >= 1000,")
      )
    )
    const outcome = await rescore({ report: reportOf(), archive: untouched }, stricter)
    expect(stored("E1").score).toBe(FULL)
    expect(outcome).toMatchObject({
      before: { score: reportOf().total_score },
      after: { score: reportOf().total_score - LOST },
      replayed: false,
      moves: [
        {
          id: "E1",
          before: { score: FULL, status: "present" },
          after: { score: NEXT, status: "partial" },
          conditionBefore: { earns: FULL, condition: "facts.substantive >= 0.9", held: true },
          conditionAfter: { earns: FULL, condition: "facts.substantive >= 0.9 && facts.pages >= 1000", held: false },
          facts: { substantive: 1 },
          remeasured: null
        }
      ]
    })
  })

  it("does not name conditions of a rubric that is not at hand", async () => {
    const stricter = load(edited("substantive >= 0.9,", "substantive >= 0.9 && pages >= 1000,"))
    const outcome = await rescore({ report: reportOf(), archive: null }, stricter, new Map())
    expect(outcome).toMatchObject({ moves: [{ id: "E1", conditionBefore: null, conditionAfter: { earns: NEXT } }] })
  })

  it("with other params and no archive is not comparable, and not guessed", async () => {
    const other = load(edited("{ sample: 20, fetches: 8 }", "{ sample: 3, fetches: 2 }"))
    expect(await rescore({ report: reportOf(), archive: null }, other)).toEqual({
      _tag: "NotComparable",
      name: "typical",
      site: TYPICAL_URL,
      reason: "A1 was measured with other params, and there is no archive"
    })
  })

  it("with other params is measured again from its archive, as a new audit would", async () => {
    const other = load(edited("{ sample: 20, fetches: 8 }", "{ sample: 3, fetches: 2 }"))
    const afresh = await Effect.runPromise(audit(other))
    const outcome = await rescore({ report: reportOf(), archive }, other)
    expect(outcome).toMatchObject({ _tag: "Rescored", replayed: true, after: { score: afresh.report.total_score } })
    expect(afresh.report.criteria.find(({ id }) => id === "A1")?.score).not.toBe(stored("A1").score)
    expect(outcome).toMatchObject({ moves: [{ id: "A1", remeasured: { reason: "was measured with other params" } }] })
  })

  it("is not comparable where the archive lacks what is asked for now", async () => {
    const few = load(edited("{ sample: 20, fetches: 8 }", "{ sample: 1, fetches: 0 }"))
    const { info, journal, report } = await Effect.runPromise(audit(few))
    const path = join(folder, "few.warc.gz")
    await Effect.runPromise(writeArchive(path, info, journal))
    const outcome = await rescore(
      { report, archive: Effect.mapError(openArchive(path), ({ message }) => message) },
      rubric
    )
    expect(outcome).toMatchObject({
      _tag: "NotComparable",
      reason: "A1 was measured with other params, and the archive lacks what A1 now asks for"
    })
  })

  it("is as reliable as its report was", async () => {
    const reliability = { ...reportOf().reliability, reliable: false }
    expect(await rescore({ report: { ...reportOf(), reliability }, archive: untouched }, rubric)).toMatchObject({
      _tag: "Rescored",
      reliable: false
    })
    expect(await rescore({ report: reportOf(), archive: untouched }, rubric)).toMatchObject({
      _tag: "Rescored",
      reliable: true
    })
  })

  it("by plugins that were all revised since is measured again from its archive, and without one is not comparable", async () => {
    const older = {
      ...reportOf(),
      criteria: reportOf().criteria.map((result) => ({ ...result, measured: { ...result.measured, revision: 0 } }))
    }
    expect(await rescore({ report: older, archive }, rubric)).toMatchObject({
      _tag: "Rescored",
      replayed: true,
      after: { score: reportOf().total_score }
    })
    expect(await rescore({ report: older, archive: null }, rubric)).toMatchObject({
      _tag: "NotComparable",
      reason: "A1, A2, A3, A4, A5 and 25 more were measured by another plugin or revision, and there is no archive"
    })
  })

  it("by a plugin that has got more facts is judged from those that it has, unless a level reads one that it lacks", async () => {
    const { characters: _, ...facts } = stored("A1").measured.facts ?? {}
    const older = {
      ...reportOf(),
      criteria: reportOf().criteria.map((result) =>
        result.id === "A1" ? { ...result, measured: { ...result.measured, facts } } : result
      )
    }
    const reason = "was measured by an earlier revision, which lacks a fact that is judged now"
    expect(
      await rescore(
        { report: older, archive: untouched },
        load(edited("characters <= 50000 && ", "", edited("characters <= 20000 && ", "")))
      )
    ).toMatchObject({ replayed: false })
    expect(await rescore({ report: older, archive }, rubric)).toMatchObject({
      replayed: true,
      after: { score: reportOf().total_score }
    })
    expect(await rescore({ report: older, archive: null }, rubric)).toMatchObject({
      _tag: "NotComparable",
      reason: `A1 ${reason}, and there is no archive`
    })
  })

  it("is not comparable by another run's archive, or by one that cannot be read", async () => {
    const other = load(edited("{ sample: 20, fetches: 8 }", "{ sample: 3, fetches: 2 }"))
    const report = { ...reportOf(), audit_date: "2026-01-01" }
    expect(await rescore({ report, archive }, other)).toMatchObject({
      reason: "A1 was measured with other params, and the archive is of another run"
    })
    expect(await rescore({ report, archive: Effect.fail("the archive is torn") }, other)).toMatchObject({
      reason: "A1 was measured with other params, and the archive is torn"
    })
  })

  it("without a report is judged by the rubric of then, and by the one of now", async () => {
    const stricter = load(edited("substantive >= 0.9,", "substantive >= 0.9 && pages >= 1000,"))
    expect(await rescore({ report: null, archive }, stricter)).toMatchObject({
      before: { score: reportOf().total_score },
      after: { score: reportOf().total_score - LOST }
    })
    expect(await rescore({ report: null, archive }, stricter, new Map())).toMatchObject({
      _tag: "NotComparable",
      reason: expect.stringContaining("is not at hand")
    })
    const others = new Map([[rubric.digest, { ...own, loaded: null }]])
    expect(await rescore({ report: null, archive }, stricter, others)).toMatchObject({
      _tag: "NotComparable",
      reason: expect.stringContaining("was written for other plugins")
    })
    expect(await rescore({ report: null, archive: null }, stricter)).toMatchObject({
      _tag: "NotComparable",
      reason: "there is neither a report nor an archive"
    })
  })

  it("keeps inconclusive what could not be fetched", async () => {
    const report = {
      ...reportOf(),
      criteria: reportOf().criteria.map((result) =>
        result.id === "E1"
          ? { ...result, status: "inconclusive" as const, score: 0, measured: { ...result.measured, facts: null } }
          : result
      )
    }
    expect(await rescore({ report, archive: untouched }, rubric)).toMatchObject({
      after: { score: reportOf().total_score - FULL },
      moves: []
    })
  })

  it("tells of a criterion that the earlier rubric had on trial, and of one that is gone", async () => {
    const [promoted, ...rest] = reportOf().criteria
    if (promoted === undefined) throw new Error("no criteria")
    const gone = { ...promoted, id: "A9", title: "Gone", score: 2, max: 2 }
    const report = {
      ...reportOf(),
      total_score: reportOf().total_score - promoted.score + 2,
      criteria: [...rest, gone],
      experimental: [promoted, ...reportOf().experimental]
    }
    expect(await rescore({ report, archive: untouched }, rubric)).toMatchObject({
      after: { score: reportOf().total_score },
      moves: [
        { id: "A1", before: null, after: { score: promoted.score } },
        { id: "A9", before: { score: 2 }, after: null }
      ]
    })
  })

  it("judges without a criterion on trial that it has no facts of, and measures it from the archive where that has what it asks for", async () => {
    const report = { ...reportOf(), experimental: [] }
    const [first] = rubric.experimental
    const without = await rescore({ report, archive: null }, rubric)
    expect(without).toMatchObject({
      after: { score: reportOf().total_score },
      trials: rubric.experimental.map(({ definition: { id } }) => ({ id, status: "not_measured", facts: null }))
    })
    const again = reportOf().experimental[0]
    expect(await rescore({ report, archive }, rubric)).toMatchObject({
      after: { score: reportOf().total_score },
      trials: [{ id: first?.definition.id, status: again?.status, facts: again?.measured.facts }, {}]
    })
  })

  it("does not count a criterion on trial as absent where it does not apply", async () => {
    const experimental = reportOf().experimental.map((result) => ({ ...result, applicable: false }))
    const outcome = await rescore({ report: { ...reportOf(), experimental }, archive: untouched }, rubric)
    expect(outcome).toMatchObject({ trials: experimental.map(({ id }) => ({ id, status: "not_applicable" })) })
  })

  it("is concerned by a change of what earns points here, and not by one of what earns none", async () => {
    const by = (yaml: string, earlier = known) => rescore({ report: reportOf(), archive: null }, load(yaml), earlier)
    const other = edited("substantive >= 0.9,", "substantive >= 0.8,")
    expect(stored("E1").score).toBe(FULL)
    expect(await by(text)).toMatchObject({ concerned: false })
    expect(await by(other)).toMatchObject({ concerned: true, moves: [] })
    expect(await by(other, new Map())).toMatchObject({ concerned: null })
    const unearned = {
      ...reportOf(),
      total_score: reportOf().total_score - FULL,
      criteria: reportOf().criteria.map((result) =>
        result.id === "E1"
          ? {
              ...result,
              status: "absent" as const,
              score: 0,
              measured: { ...result.measured, facts: { ...result.measured.facts, substantive: 0 } }
            }
          : result
      )
    }
    expect(await rescore({ report: unearned, archive: null }, load(other))).toMatchObject({ concerned: false })
  })
})
