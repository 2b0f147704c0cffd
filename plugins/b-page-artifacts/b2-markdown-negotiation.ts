import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shares } from "../../engine/plugin/Fact.ts"
import { withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, enumerated, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { type Exchange, isMissing } from "../../engine/evidence/Exchange.ts"
import { missingAmong, OPENING_PAGES } from "../../engine/site/sample/Sample.ts"
import { AGENT_ACCEPTS, ASKED_BY_LISTS, type NegotiatedPage } from "../../engine/site/markdown/Negotiation.ts"
import { countsAsOwnMarkdown } from "./MarkdownVersion.ts"
import { deadEnd, deadEndFact, leadBy, startWays } from "../ways/StartWays.ts"

/** B2: a page's URL returns Markdown to a request with `Accept: text/markdown`, and to one that asks as agents do. */
export const b2MarkdownNegotiation = define({
  id: "b2-markdown-negotiation",
  revision: 3,
  budget: NO_REQUESTS,
  needsServer: true,
  params: Schema.Struct({}),
  facts: {
    asked: count(
      "HTML pages (if the sample has none, other pages) that answered a request with `Accept: text/markdown`"
    ),
    markdown: share("of those, pages that returned Markdown, with any media type"),
    negotiated: share("of those, pages that returned Markdown as text/markdown with `Accept` in `Vary`"),
    typed: share("of the pages that returned Markdown, those that sent it as text/markdown; 0 if none did"),
    varying: share("of the pages that returned Markdown, those that named `Accept` in `Vary`; 0 if none did"),
    lists: share(
      "of the first two pages that returned Markdown, those that return it to both `Accept` lists of coding agents, too; 0 if none did"
    ),
    dead_end: deadEndFact
  },
  measure: Effect.fn("b2-markdown-negotiation")(function* (site) {
    const [{ first, pages }, negotiation] = yield* withSampledPages(site, site.negotiation)
    const own = countsAsOwnMarkdown(pages)
    const { visits } = yield* site.sample
    const lost = missingAmong(
      negotiation.pages.length < OPENING_PAGES
        ? visits
        : visits.slice(0, visits.findLastIndex(({ page }) => negotiation.pages.some((one) => one.page === page)) + 1)
    )
    // A page that did not answer would have been asked in place of the last one.
    const asked = negotiation.pages
      .slice(0, Math.max(0, OPENING_PAGES - lost.length))
      .filter(({ page }) => own || page.format !== "markdown")
    const missing = [...lost, ...asked.map(({ exchange }) => exchange).filter(isMissing)]
    const answered = asked.filter(({ verdict }) => verdict !== "unobtainable")
    const unread = asked[0]
    if (answered.length === 0 && unread !== undefined) {
      return yield* new Unobtainable({ message: "No page answered a request for Markdown.", exchange: unread.exchange })
    }
    const markdown = answered.filter(({ verdict }) => verdict === "markdown")
    const negotiated = markdown.filter(isNegotiated)
    const typed = markdown.filter(({ mediaType }) => mediaType === MARKDOWN)
    const varying = markdown.filter(({ variesByAccept }) => variesByAccept)
    const best = negotiated[0] ?? markdown[0] ?? answered[0]
    const ofAnswered = shares(
      { markdown: markdown.length, negotiated: negotiated.length },
      answered.length,
      missing.length
    )
    const ofMarkdown = shares({ typed: typed.length, varying: varying.length }, markdown.length, missing.length)
    const byLists = listsOf(markdown, missing.length)
    const way = yield* startWays(site)
    const end = deadEnd(way)
    return {
      facts: {
        asked: answered.length,
        ...ofAnswered.facts,
        ...ofMarkdown.facts,
        lists: byLists.share,
        dead_end: end.dead_end
      },
      uncertain: {
        asked: between(answered.length, answered.length + missing.length),
        ...ofAnswered.uncertain,
        ...ofMarkdown.uncertain,
        lists: byLists.uncertain,
        dead_end: end.uncertain
      },
      unanswered: [...missing, ...byLists.missing],
      findings: leadBy(end.findings, [
        {
          good: markdown.length > 0,
          message: summary({
            asked: answered.length,
            markdown: markdown.length,
            typed: typed.length,
            varying: varying.length,
            lists: byLists
          }),
          proof: best?.exchange ?? first
        },
        ...byLists.refused,
        ...answered
          .filter((page) => !isNegotiated(page))
          .map((page): Finding => ({
            good: false,
            message: `${pathShown(page.page.url)} ${answer(page)}.`,
            proof: page.exchange
          }))
      ])
    }
  })
})

const MARKDOWN = "text/markdown"

/** How many pages were asked and, of those, returned Markdown; and of these, how many with each header. */
interface Tally {
  readonly asked: number
  readonly markdown: number
  readonly typed: number
  readonly varying: number
  readonly lists: Lists
}

const summary = ({ asked, lists, markdown, typed, varying }: Tally): string => {
  if (asked === 0) return "No page could be fetched, so we asked none for Markdown."
  const pages = `${someOf(markdown, asked, ["requested page", "requested pages"], ["returns", "return"])} Markdown when asked for it`
  if (markdown === 0) return `${pages}.`
  if (typed === markdown && varying === markdown)
    return `${pages}, with Content-Type: text/markdown and Vary: Accept.${listsShown(lists)}`
  const without = (have: number, header: string): ReadonlyArray<string> =>
    have === markdown ? [] : [`${header}${markdown === 1 ? "" : ` (${counted(markdown - have, "page")})`}`]
  return `${pages}. Headers missing: ${enumerated([...without(typed, "Content-Type: text/markdown"), ...without(varying, "Vary: Accept")])}.${listsShown(lists)}`
}

/** What came of asking as agents ask. */
interface Lists {
  readonly asked: number
  /** Pages that returned Markdown to each list. */
  readonly met: number
  readonly share: number
  readonly uncertain: ReturnType<typeof between>
  readonly missing: ReadonlyArray<Exchange>
  readonly refused: ReadonlyArray<Finding>
}

/** `lost` pages, whose response is missing, may have been asked in the place of those that were. */
const listsOf = (markdown: ReadonlyArray<NegotiatedPage>, lost: number): Lists => {
  const asked = markdown.filter(({ lists }) => lists.length > 0)
  const open = asked.filter(
    ({ lists }) =>
      lists.some(({ exchange }) => isMissing(exchange)) &&
      lists.every(({ exchange, verdict }) => verdict === "markdown" || isMissing(exchange))
  )
  const met = asked.filter(({ lists }) => lists.every(({ verdict }) => verdict === "markdown")).length
  const most = Math.min(ASKED_BY_LISTS, asked.length + lost)
  return {
    asked: asked.length - open.length,
    met,
    share: ratio(met, asked.length),
    uncertain: between(ratio(Math.max(0, met - lost), most), ratio(Math.min(most, met + open.length + lost), most)),
    missing: asked.flatMap(({ lists }) => lists.map(({ exchange }) => exchange).filter(isMissing)),
    refused: asked.flatMap(({ lists, page }) =>
      lists
        .flatMap(({ exchange, verdict }): ReadonlyArray<Finding> =>
          verdict === "markdown" || isMissing(exchange)
            ? []
            : [
                {
                  good: false,
                  message: `${pathShown(page.url)} ${ANSWERS[verdict]} that names other types, too, as coding agents do (Accept: ${exchange.asked.accept}).`,
                  proof: exchange
                }
              ]
        )
        .slice(0, 1)
    )
  }
}

const listsShown = ({ asked, met }: Lists): string => {
  if (asked === 0) return ""
  const others = `${asked === 1 ? "A page" : `${asked} pages`} that we asked with the lists of ${AGENT_ACCEPTS.length} coding agents`
  if (met === asked) return ` ${others} ${asked === 1 ? "returns" : "return"} it to them, too.`
  return met === 0
    ? ` ${others} ${asked === 1 ? "does" : "do"} not return it to them.`
    : ` Of ${asked} pages that we asked with the lists of ${AGENT_ACCEPTS.length} coding agents, ${met} ${met === 1 ? "returns" : "return"} it to them.`
}

const isNegotiated = ({ mediaType, variesByAccept, verdict }: NegotiatedPage): boolean =>
  verdict === "markdown" && mediaType === MARKDOWN && variesByAccept

const ANSWERS: Readonly<Record<Exclude<NegotiatedPage["verdict"], "markdown">, string>> = {
  html: "returns HTML to a request for Markdown",
  error_text: "returns an error message to a request for Markdown",
  foreign: "returns Markdown that does not contain the page's text",
  absent: "returns an error status to a request for Markdown",
  unobtainable: "could not be fetched"
}

const answer = ({ mediaType, variesByAccept, verdict }: NegotiatedPage): string => {
  if (verdict !== "markdown") return ANSWERS[verdict]
  const type =
    mediaType === MARKDOWN ? "" : ` ${mediaType === "" ? "without a Content-Type" : `as ${mediaType.slice(0, 60)}`}`
  return `returns Markdown${type}${variesByAccept ? "" : `${type === "" ? " " : " and "}without Vary: Accept`}`
}
