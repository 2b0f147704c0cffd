import { type AuditBudget, makeAuditBudget } from "../../engine/evidence/AuditBudget.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { siteSpenders } from "../../engine/site/Site.ts"

/** The budget of an audit, with what a site's derivations may fetch set aside. */
export const siteBudget = (): AuditBudget => {
  const budget = makeAuditBudget(defaultLimits, 20)
  budget.reserve(siteSpenders)
  return budget
}
