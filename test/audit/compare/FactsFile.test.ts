import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { FactsFile, runsOfFacts } from "../../../engine/audit/compare/FactsFile.ts"
import { judgedBy, rescoreRun } from "../../../engine/audit/compare/Rescore.ts"
import { StoredReport } from "../../../engine/audit/StoredRun.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"
import { encodeFacts, factsOf } from "../../../scripts/facts/WriteFacts.ts"
import { auditFakeSite } from "../../golden/AuditFakeSite.ts"
import { goldenSites } from "../../golden/GoldenSites.ts"

const ROOT = join(import.meta.dirname, "../../..")
const OWN = readFileSync(join(ROOT, "rubric.yaml"), "utf8")
const load = (text: string) => Effect.runSync(loadRubric(new TextEncoder().encode(text), "rubric.yaml", plugins))
const rubric = load(OWN)
const stricter = load(OWN.replace("substantive >= 0.9,", "substantive >= 0.9 && pages >= 1000,"))

/** What E1 loses by the stricter rubric. */
const [FULL = 0, NEXT = 0] =
  rubric.criteria.find(({ definition }) => definition.id === "E1")?.levels.map(({ earns }) => earns) ?? []
const LOST = FULL - NEXT

const decode = (text: string): FactsFile => Schema.decodeUnknownSync(Schema.fromJsonString(FactsFile))(text)

const reports = await Promise.all(
  goldenSites.slice(0, 3).map(async (site) => ({
    name: site.name,
    report: Schema.decodeUnknownSync(StoredReport)(await auditFakeSite(site))
  }))
)
const facts = await Effect.runPromise(factsOf(reports))
const [run] = runsOfFacts(decode(encodeFacts(facts)), "facts.json").slice(1)
const report = reports[1]?.report

const rescored = (options: Partial<Parameters<typeof rescoreRun>[1]>) =>
  run === undefined
    ? Promise.reject(new Error("no run"))
    : Effect.runPromise(
        rescoreRun(run, { rubric, earlier: new Map(), ...options }).pipe(Effect.provide(ParserPool.layerInline))
      )

describe("a file of facts", () => {
  it("has what the reports have to judge by, and calls sites by their names", () => {
    const runs = runsOfFacts(decode(encodeFacts(facts)), "facts.json")
    expect(runs.map((each) => each.report)).toEqual(
      reports.map(({ name, report }) => ({
        ...report,
        base_url: name,
        reliability: { reliable: report.reliability?.reliable },
        criteria: report.criteria.map(withoutTrue),
        experimental: report.experimental.map(withoutTrue)
      }))
    )
    expect(encodeFacts(facts)).not.toContain("://")
  })

  it("is judged by another rubric as the report is", async () => {
    expect(await rescored({ rubric: stricter })).toMatchObject({
      _tag: "Rescored",
      site: reports[1]?.name,
      before: { score: report?.total_score },
      after: { score: (report?.total_score ?? 0) - LOST },
      moves: [{ id: "E1" }]
    })
  })

  it("is compared with the rubric that is asked for, whatever judged it when it was recorded", async () => {
    expect(await rescored({ before: stricter })).toMatchObject({
      before: { score: (report?.total_score ?? 0) - LOST, rubric: { digest: stricter.digest } },
      after: { score: report?.total_score }
    })
  })

  it("says nothing about a plugin of another revision, and that it must be recorded again", async () => {
    const older = {
      ...facts,
      criteria: Object.fromEntries(
        Object.entries(facts.criteria).map(([id, each]) => [id, id === "C1" ? { ...each, revision: 1 } : each])
      )
    }
    const [old] = runsOfFacts(older, "facts.json")
    if (old === undefined || old.report === null) throw new Error("no run")
    expect(judgedBy(old.report, rubric)).toBeNull()
    const outcome = await Effect.runPromise(
      rescoreRun(old, { rubric, earlier: new Map() }).pipe(Effect.provide(ParserPool.layerInline))
    )
    expect(outcome).toMatchObject({
      _tag: "NotComparable",
      reason:
        "C1 was measured by another plugin or revision, and a file of facts has no archives: these facts must be recorded again"
    })
  })

  it("cannot be made of reports that several rubrics judged", () => {
    const [first] = reports
    if (first === undefined) throw new Error("no report")
    const other = { ...first, report: { ...first.report, rubric: { ...first.report.rubric, digest: "sha256:0" } } }
    expect(Effect.runSync(Effect.result(factsOf([first, other])))).toEqual(
      Result.fail("the reports are of several rubrics")
    )
    expect(Effect.runSync(Effect.result(factsOf([])))).toEqual(Result.fail("there are no reports"))
  })
})

/** That a criterion applies is not written down. */
const withoutTrue = <A extends { readonly applicable?: boolean }>({ applicable, ...rest }: A) =>
  applicable === false ? { ...rest, applicable } : rest

describe("the published facts of the corpus", () => {
  const path = join(ROOT, "test/corpus/facts.json")
  const text = readFileSync(path, "utf8")

  it("are at most 200 KB, of real sites by their names, without an address or a text of a page", () => {
    expect(statSync(path).size).toBeLessThanOrEqual(200_000)
    const { sites } = decode(text)
    expect(sites.length).toBeGreaterThanOrEqual(30)
    expect(text).not.toMatch(/https?:|\/\//)
  })

  it("have words only where a plugin declares them", () => {
    const words = new Set(
      [...plugins.values()].flatMap(({ facts: fields }) =>
        Object.values(fields).flatMap((fact) => (fact.kind === "word" ? fact.words : []))
      )
    )
    const told = decode(text).sites.flatMap(({ results }) =>
      Object.values(results).flatMap(({ facts }) => (facts ?? []).filter((value) => typeof value === "string"))
    )
    expect(told.length).toBeGreaterThan(0)
    expect(told.filter((word) => !words.has(word))).toEqual([])
  })
})
