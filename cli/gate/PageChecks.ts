import { type Exchange, isMissing } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isGlob } from "../../engine/site/sample/NamedPages.ts"
import type { NamedPages } from "../../engine/site/sample/Sample.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { GoalCheck } from "./Gates.ts"

/** The `pages` of a site as goals: each must be there to be read. */
export const pageChecks = (named: ReadonlyArray<NamedPages>): ReadonlyArray<GoalCheck> => named.map(pageCheck)

const pageCheck = ({ pattern, visits }: NamedPages): GoalCheck => {
  const name = plainText(pattern, 200)
  const goal = `${isGlob(pattern) ? "pages" : "page"} ${name}`
  const missed = (fault: string): GoalCheck => ({
    goal,
    outcome: "missed",
    message: `"pages" names ${name}, which ${fault}`
  })
  const [first] = visits
  if (visits.some(({ page }) => page !== null && isReadable(page))) return { goal, outcome: "met", message: null }
  if (first === undefined)
    return missed(
      "matches none of the pages that llms.txt, sitemaps and links name. Correct the pattern, or link the pages."
    )
  const { exchange, page } = first
  if (isMissing(exchange) || (page !== null && page.challenge !== null))
    return {
      goal,
      outcome: "unchecked",
      message: `"pages" names ${name}, which could not be read: it ${answered(exchange)}. Audit again later.`
    }
  if (page?.format === "other") return missed("is a file and no page to read. Name pages only.")
  return missed(
    `${page === null ? answered(exchange) : "says that it does not exist"}. Correct the path, or publish the page.`
  )
}

const isReadable = ({ challenge, format, saysNotFound }: Page): boolean =>
  challenge === null && !saysNotFound && format !== "other"

const answered = (exchange: Exchange): string =>
  exchange._tag === "Fault" ? `failed (${plainText(exchange.message, 200)})` : `answers ${exchange.status}`
