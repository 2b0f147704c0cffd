import { beforeAll, describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { buildSite } from "./excellent/Site.ts"
import { readSource } from "./excellent/Source.ts"
import { EXCELLENT_URL } from "./GoldenSites.ts"
import { mutations } from "./Mutations.ts"

const source = readSource()

const scoresOf = ({ criteria }: AuditReport): ReadonlyMap<string, number> =>
  new Map(criteria.map(({ id, score }) => [id, score]))

describe("breaking one thing in the excellent site", () => {
  let whole: ReadonlyMap<string, number> = new Map()

  beforeAll(async () => {
    whole = scoresOf(await auditFakeSite({ site: buildSite(source), url: EXCELLENT_URL }))
  })

  it("is tried in many ways, each told apart, and costs each criterion at least once", () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
    expect(new Set(mutations.map(({ costs }) => costs))).toEqual(new Set(whole.keys()))
  })

  it.each(mutations)("$costs falls where $name", async ({ alsoMayCost = {}, breaks, costs, url = EXCELLENT_URL }) => {
    const report = await auditFakeSite({ site: breaks(source), url })
    const fallen = report.criteria.filter(({ id, score }) => score < (whole.get(id) ?? 0))
    expect(
      fallen.map(({ id }) => id),
      "the criterion meant"
    ).toContain(costs)
    const undeclared = fallen.filter(({ id }) => id !== costs && alsoMayCost[id] === undefined)
    expect(undeclared.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([])
  })
})
