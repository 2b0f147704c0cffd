import { describe, expect, it } from "vitest"
import {
  AUDIT_REQUESTS,
  AUDIT_MEGABYTES,
  AUDIT_RETRIEVALS,
  type Budget,
  criterionSpender,
  makeAuditBudget,
  mostSent,
  RANK,
  RETRIEVALS_PER_PAGE,
  retrievalsFor,
  SLACK,
  type Spender,
  USUAL_SAMPLE
} from "../../engine/evidence/AuditBudget.ts"
import { defaultLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { signalsSpender } from "../../engine/audit/Signals.ts"
import { siteSpenders } from "../../engine/site/Site.ts"
import { plugins } from "../../plugins/index.ts"

const criteria = [...plugins.values()].map(({ budget, id }) => criterionSpender(id, budget))
const all = [...siteSpenders, ...criteria, signalsSpender]

const budgetAt = ({ budget }: Spender, sampleSize: number): Budget =>
  typeof budget === "function" ? budget(sampleSize) : budget

/** Retrievals that all parts together may make; those that a part makes only where others make fewer count once. */
const totalAt = (sampleSize: number): number =>
  all
    .map((spender) => budgetAt(spender, sampleSize))
    .reduce((sum, { requests, insteadOfOthers = 0 }) => sum + requests - insteadOfOthers, 0)

describe("the budget of an audit", () => {
  it("covers everything that fetches, and leaves 15 % to what is added later", () => {
    expect(totalAt(USUAL_SAMPLE)).toBeLessThanOrEqual(AUDIT_RETRIEVALS * (1 - SLACK))
  })

  it("covers the bytes of everything that fetches", () => {
    const bytes = all.reduce((sum, spender) => sum + budgetAt(spender, USUAL_SAMPLE).megabytes, 0)
    expect(bytes).toBeLessThanOrEqual(AUDIT_MEGABYTES)
  })

  it("holds the redirects and retries of all its retrievals, as far as a sound site has them", () => {
    expect(mostSent(AUDIT_RETRIEVALS)).toBe(AUDIT_REQUESTS)
    expect(mostSent(AUDIT_RETRIEVALS + 10)).toBe(415)
  })

  it("grows with the sample by what a page costs", () => {
    expect(totalAt(USUAL_SAMPLE + 10) - totalAt(USUAL_SAMPLE)).toBe(10 * RETRIEVALS_PER_PAGE)
    expect(retrievalsFor(USUAL_SAMPLE + 10)).toBe(AUDIT_RETRIEVALS + 10 * RETRIEVALS_PER_PAGE)
    expect(retrievalsFor(5)).toBe(AUDIT_RETRIEVALS)
  })

  it("is handed out by rank until nothing is left", () => {
    const spender = (collector: string, rank: Spender["rank"]): Spender => ({
      collector,
      budget: { requests: 4, megabytes: 1 },
      rank
    })
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 6 }), USUAL_SAMPLE)
    reserve([spender("late", RANK.own), spender("early", RANK.sample)])
    expect(allowanceOf("early")).toMatchObject({ requests: 4 })
    expect(allowanceOf("late")).toMatchObject({ requests: 2 })
  })

  it("sets a budget aside once, however often it is asked to", () => {
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 6 }), USUAL_SAMPLE)
    const spender: Spender = {
      collector: "site/robots",
      budget: { requests: 4, megabytes: 1 },
      rank: RANK.sample
    }
    reserve([spender])
    reserve([spender, { ...spender, collector: "site/other" }])
    expect(allowanceOf("site/other").requests).toBe(2)
  })

  it("gives extra budgets whole, whatever is left", () => {
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 0 }), USUAL_SAMPLE)
    reserve([criterionSpender("X1", { requests: 1, megabytes: 1, extra: true })])
    expect(allowanceOf("X1")).toMatchObject({ requests: 1, rank: RANK.extra })
  })

  it("gives nothing to a collector without a budget", () => {
    expect(makeAuditBudget(defaultLimits, USUAL_SAMPLE).allowanceOf("X1").requests).toBe(0)
  })
})
