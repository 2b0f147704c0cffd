import type { AuditReport, SampledPage } from "../../audit/Report.ts"
import type { RouteCost } from "../../audit/cost/RouteCost.ts"
import { TOKEN_ESTIMATOR } from "../../audit/cost/Tokens.ts"
import { pageKey } from "../../evidence/Address.ts"
import type { PlanSummary } from "./PlanSummary.ts"

/** What is read of a report. */
type Reading = Pick<AuditReport, "pages" | "reading_cost">

/** With a smaller share of its pages in both audits, a site's samples are too different to say what its pages cost. */
const ENOUGH_SHARED = 0.5

/**
 * What an agent pays before and after, by the reports of two audits: for the pages that both of them read and that are cheaper or dearer
 * in the second, and for the cheapest way to one operation. Of a page the cheaper form counts: Markdown where it has a version.
 */
export const costOf = (before: Reading, after: Reading): PlanSummary["cost"] => {
  const then = new Map((after.pages ?? []).map((page) => [pageKey(page.url), tokensOf(page)] as const))
  const read = (before.pages ?? []).flatMap((page) => {
    const tokens = tokensOf(page)
    return tokens === null ? [] : [{ before: tokens, after: then.get(pageKey(page.url)) ?? null }]
  })
  const shared = read.flatMap(({ after, before }) => (after === null ? [] : [{ after, before }]))
  const pages =
    shared.length < ENOUGH_SHARED * read.length ? [] : shared.filter(({ after, before }) => after !== before)
  const [way, wayThen] = [wayOf(before), wayOf(after)]
  return {
    estimator: TOKEN_ESTIMATOR,
    pages:
      pages.length === 0
        ? null
        : {
            count: pages.length,
            median: {
              before: median(pages.map((page) => page.before)),
              after: median(pages.map((page) => page.after))
            },
            total: { before: sum(pages.map((page) => page.before)), after: sum(pages.map((page) => page.after)) }
          },
    operation: way === null || wayThen === null ? null : { before: way, after: wayThen }
  }
}

/** What a page costs an agent that takes Markdown where it is offered; `null`: it was not read, or not to its end. */
const tokensOf = ({ tokens: { at_least: cut = [], html, markdown } }: SampledPage): number | null => {
  const form = markdown === null ? "html" : "markdown"
  return cut.includes(form) ? null : (markdown ?? html)
}

/** The requests of a way, and the tokens of everything on it. */
type WayCost = Pick<RouteCost, "requests" | "tokens">

/** The way to one operation that costs the fewest tokens; `null`: none was found. */
const wayOf = ({ reading_cost: cost }: Reading): WayCost | null => {
  const routes = cost?.to_operation ?? null
  const ways = routes === null ? [] : [routes.llms_txt, routes.sitemap, routes.links]
  const [cheapest] = ways
    .filter((way): way is RouteCost => way !== null && way.at_least !== true)
    .toSorted((one, other) => one.tokens - other.tokens || one.requests - other.requests)
  return cheapest === undefined ? null : { requests: cheapest.requests, tokens: cheapest.tokens }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

/** The middle number, of two the lower. */
const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0
