import { RANK, type Spender } from "../../evidence/AuditBudget.ts"

/** What asking for `R/robots.txt` may fetch. Apart from `Robots.ts`, because an audit asks before the code that reads the answer is loaded. */
export const robotsSpender = {
  collector: "site/robots",
  // Of the host of the audited URL, and of the one that it redirects to.
  budget: { requests: 2, megabytes: 1 },
  rank: RANK.sample
} as const satisfies Spender
