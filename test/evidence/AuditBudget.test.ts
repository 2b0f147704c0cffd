import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  AUDIT_REQUESTS,
  AUDIT_RETRIES,
  type Budget,
  criterionSpender,
  EXTRA_REQUESTS,
  makeAuditBudget,
  mostSent,
  RANK,
  REQUESTS_PER_PAGE,
  requestsFor,
  type Spender,
  USUAL_SAMPLE
} from "../../engine/evidence/AuditBudget.ts"
import { defaultLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { signalsSpender } from "../../engine/audit/Signals.ts"
import { siteSpenders } from "../../engine/site/Derivations.ts"
import { plugins } from "../../plugins/index.ts"

const criteria = [...plugins.values()].map(({ budget, id }) => criterionSpender(id, budget))
const all = [...siteSpenders, ...criteria, signalsSpender]

const budgetAt = ({ budget }: Spender, sampleSize: number): Budget =>
  typeof budget === "function" ? budget(sampleSize) : budget

/** Requests and redirects of all budgets that count towards the audit's. */
const totalAt = (sampleSize: number): number =>
  all
    .map((spender) => budgetAt(spender, sampleSize))
    .filter(({ extra }) => extra !== true)
    .reduce((sum, { redirects, requests }) => sum + requests + redirects, 0)

describe("the budget of an audit", () => {
  it("covers everything that fetches, and retries", () => {
    expect(totalAt(USUAL_SAMPLE) + AUDIT_RETRIES).toBe(AUDIT_REQUESTS)
  })

  it("has at most 20 requests on top, 220 in all, as the README, docs/requests.md and the page about the bot say", () => {
    const extra = all.map((spender) => budgetAt(spender, USUAL_SAMPLE)).filter(({ extra }) => extra === true)
    expect(extra.reduce((sum, { redirects, requests }) => sum + requests + redirects, 0)).toBeLessThanOrEqual(
      EXTRA_REQUESTS
    )
    expect(mostSent(AUDIT_REQUESTS)).toBe(220)
    for (const file of ["README.md", "docs/requests.md", "server/docs/bot.md"])
      expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).toMatch(/at most 220 requests/i)
  })

  it("grows with the sample by what a page costs", () => {
    expect(totalAt(USUAL_SAMPLE + 10) - totalAt(USUAL_SAMPLE)).toBe(10 * REQUESTS_PER_PAGE)
    expect(requestsFor(USUAL_SAMPLE + 10)).toBe(AUDIT_REQUESTS + 10 * REQUESTS_PER_PAGE)
    expect(requestsFor(5)).toBe(AUDIT_REQUESTS)
  })

  it("is handed out by rank until nothing is left", () => {
    const spender = (collector: string, rank: Spender["rank"]): Spender => ({
      collector,
      budget: { requests: 4, redirects: 1, megabytes: 1 },
      rank
    })
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 17, retriesPerAudit: 10 }), USUAL_SAMPLE)
    reserve([spender("late", RANK.own), spender("early", RANK.sample)])
    expect(allowanceOf("early")).toMatchObject({ requests: 4, redirects: 1 })
    expect(allowanceOf("late")).toMatchObject({ requests: 2, redirects: 0 })
  })

  it("sets a budget aside once, however often it is asked to", () => {
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 16, retriesPerAudit: 10 }), USUAL_SAMPLE)
    const spender: Spender = {
      collector: "site/robots",
      budget: { requests: 4, redirects: 0, megabytes: 1 },
      rank: RANK.sample
    }
    reserve([spender])
    reserve([spender, { ...spender, collector: "site/other" }])
    expect(allowanceOf("site/other").requests).toBe(2)
  })

  it("gives extra budgets whole, whatever is left", () => {
    const { allowanceOf, reserve } = makeAuditBudget(limitsWith({ requests: 0 }), USUAL_SAMPLE)
    reserve([criterionSpender("X1", { requests: 1, redirects: 1, megabytes: 1, extra: true })])
    expect(allowanceOf("X1")).toMatchObject({ requests: 1, redirects: 1, rank: RANK.extra })
  })

  it("gives nothing to a collector without a budget", () => {
    expect(makeAuditBudget(defaultLimits, USUAL_SAMPLE).allowanceOf("X1").requests).toBe(0)
  })
})
