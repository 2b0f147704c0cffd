import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { fixList } from "../../engine/audit/FixFirst.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { expectFirstRowsToBeFixable, expectOneOrder, expectStepsByFacts } from "../audit/AdviceChecks.ts"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { buildSite } from "./excellent/Site.ts"
import { readSource } from "./excellent/Source.ts"
import { EXCELLENT_URL } from "./GoldenSites.ts"
import type { Mutation } from "./mutations/Mutation.ts"
import { mutations } from "./Mutations.ts"
import { once } from "./Once.ts"
import { HEAD, sentences } from "./Sentences.ts"

const rubric = Effect.runSync(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)
const source = readSource()

const scoresOf = ({ criteria }: AuditReport): ReadonlyMap<string, number> =>
  new Map(criteria.map(({ id, score }) => [id, score]))

const whole = scoresOf(await auditFakeSite({ site: buildSite(source), url: EXCELLENT_URL }))

/**
 * The fixes that come before a mutation's own, where some do. A generator's sample earns C1 some of its points, so C2 to C5 are a fix of their
 * own, which gains more; its first step is to publish the product's own description. Pages that redirect by script have no text
 * either, so that B1 gains more. What breaks several criteria is advised where it gains most.
 */
const BEFORE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the API description is the example that a generator came with": ["C2"],
  "pages redirect by script": ["B1"],
  "there is no Markdown at all": ["B2"],
  "path parameters are not declared": ["D1"],
  "links of the Markdown lead nowhere": ["B2"],
  "pages have two H1": ["B3"],
  "paging and the sandbox are documented nowhere": ["D1"]
}

const reportOn = once(({ breaks, url = EXCELLENT_URL }: Mutation) => auditFakeSite({ site: breaks(source), url }))

describe("breaking one thing in the excellent site", () => {
  it("is tried in many ways, each told apart, and costs each criterion at least once", () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
    expect(new Set(mutations.map(({ costs }) => costs))).toEqual(new Set(whole.keys()))
  })

  it.each(mutations)("$costs falls where $name", async (mutation) => {
    const { alsoMayCost = {}, costs } = mutation
    const { criteria } = await reportOn(mutation)
    const fallen = criteria.filter(({ id, score }) => score < (whole.get(id) ?? 0))
    expect(
      fallen.map(({ id }) => id),
      "the criterion meant"
    ).toContain(costs)
    const undeclared = fallen.filter(({ id }) => id !== costs && alsoMayCost[id] === undefined)
    expect(undeclared.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([])
  })

  it.each(mutations)("is what the advice names first, and promises what fixing it gains: $name", async (mutation) => {
    const { costs, name } = mutation
    const report = await reportOn(mutation)
    expectStepsByFacts(report, rubric)
    expectFirstRowsToBeFixable(report, rubric)
    expectOneOrder(report)
    const { fixes } = fixList(report)
    const place = fixes.findIndex(({ criterion, includes }) => [criterion, ...includes].some(({ id }) => id === costs))
    expect(
      fixes.slice(0, place).map(({ criterion }) => criterion.id),
      "what comes before it"
    ).toEqual(BEFORE[name] ?? [])
    expect(place, `${costs} is advised`).toBeGreaterThanOrEqual(0)
    for (const { criterion, gain, includes } of fixes) {
      const gained = [criterion, ...includes].reduce((sum, { id, score }) => sum + (whole.get(id) ?? 0) - score, 0)
      expect(gained, `points promised for ${criterion.id}`).toBe(gain)
    }
  })

  it("is named in the sentences of the report", async () => {
    const parts: Array<string> = []
    for (const mutation of mutations) {
      const said = sentences(await reportOn(mutation), (id) => id === mutation.costs)
      parts.push(`## ${mutation.name}\n\n${said}`)
    }
    await expect(`${HEAD}${parts.join("\n\n")}\n`).toMatchFileSnapshot("snapshots/sentences-mutations.txt")
  })
})
