import { expect, it } from "vitest"
import { openPoints } from "../../engine/audit/FixFirst.ts"
import { flagTexts } from "../../engine/report/SectionWords.ts"
import { siteSpenders } from "../../engine/site/Site.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { someCriterion, someReport } from "./SomeReport.ts"

const report = someReport({
  criteria: [
    someCriterion({ id: "D5", status: "inconclusive", score: 0, max: 3, reason: "our_limit" }),
    someCriterion({ id: "D7", status: "inconclusive", score: 0, max: 2, reason: "our_limit" }),
    someCriterion({ id: "D4", status: "inconclusive", score: 0, max: 3 })
  ],
  reliability: {
    reliable: true,
    coverage: 1,
    flags: ["timed_out", "truncated"],
    skipped: [
      { collector: "site/sitemaps", reason: "requests", count: 3 },
      { collector: "site/sample", reason: "deadline", count: 1 }
    ]
  }
})

it("points that limits of ours leave open are those of criteria with that reason", () => {
  expect(openPoints(report.criteria)).toBe(5)
})

it("a report says once, behind the last flag that tells of a limit, which criteria it leaves open, and with which flag more is read", () => {
  const [timedOut = "", truncated = ""] = flagTexts(report)
  expect(timedOut).toContain("`--timeout`")
  expect(timedOut).not.toContain("D5")
  expect(truncated).toContain("`--sample`")
  expect(truncated).toContain("D5 and D7 (5 points) are open because of it: that says nothing against the site.")
})

it("a report has words for all that is fetched of a site", () => {
  const wordless = siteSpenders.filter(({ budget, collector }) => {
    const skipped = [{ collector, reason: "requests", count: 1 }] as const
    const requests = typeof budget === "function" ? 1 : budget.requests
    const [said = ""] = flagTexts(
      someReport({ reliability: { reliable: true, coverage: 1, flags: ["truncated"], skipped } })
    )
    return requests > 0 && said.includes(collector)
  })
  expect(wordless.map(({ collector }) => collector)).toEqual([])
})

it("a report names the limits of ours and what they left out, and a flag only where it helps", () => {
  const of = (...skipped: ReadonlyArray<AuditReport["reliability"]["skipped"][number]>) =>
    flagTexts(someReport({ reliability: { reliable: true, coverage: 1, flags: ["truncated"], skipped } }))
  expect(
    of(
      { collector: "site/negotiation", reason: "size", count: 2 },
      { collector: "site/topic-search", reason: "bytes", count: 1 },
      { collector: "A4", reason: "size", count: 1 }
    )
  ).toEqual([
    "We reached a limit of ours (of bytes and of the size or complexity of one page or file), so the audit left out, or read in part: answers to requests for Markdown, pages on topics beyond the sample and A4."
  ])
  expect(of({ collector: "site/sitemaps", reason: "requests", count: 3 })).toEqual([
    "We reached a limit of ours (of requests), so the audit left out, or read in part: sitemaps. On the command line, a larger `--sample` has a larger limit of requests."
  ])
})
