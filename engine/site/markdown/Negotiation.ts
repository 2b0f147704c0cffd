import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type Exchange, header, isAnswer, mediaType } from "../../evidence/Exchange.ts"
import { type MarkdownDocument, readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import { hasOwnWords } from "../../page/markdown/TextParity.ts"
import type { Page } from "../../page/Page.ts"
import { derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { OPENING_PAGES, type Sample } from "../sample/Sample.ts"
import { type FileVerdict, fileVerdict, type NotFoundProbe } from "../wellknown/FileVerdict.ts"

/** What the first web pages of the sample answer to `Accept: text/markdown`. */
export interface Negotiation {
  readonly pages: ReadonlyArray<NegotiatedPage>
}

export interface NegotiatedPage extends JudgedMarkdown {
  readonly page: Page
  /** Lower case, without parameters; empty where there is none. */
  readonly mediaType: string
  /** `Vary` names `Accept`, or is `*`. */
  readonly variesByAccept: boolean
  /** What it answers to each of `AGENT_ACCEPTS`; empty where it was not asked so. */
  readonly lists: ReadonlyArray<JudgedMarkdown>
}

/**
 * How the agents that read most documentation ask (Claude Code, Cursor; `engine/audit/agents/NamedAgents.ts` has the sources). A
 * server that looks for the bare type only gives them HTML.
 */
export const AGENT_ACCEPTS: ReadonlyArray<string> = [
  "text/markdown, text/html, */*",
  "text/markdown, text/plain;q=0.9, */*;q=0.8"
]

/** Pages that are asked as agents ask: a rule of the server that knows one page knows the others. */
export const ASKED_BY_LISTS = 2

/** Asks for pages as Markdown, and the first that have it once more as agents do: a site without it costs nothing more. */
export const gatherNegotiation = Effect.fnUntraced(function* (
  context: GatherContext,
  pages: ReadonlyArray<Page>,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<Negotiation> {
  const bare = yield* askFor(context, pages, "text/markdown")
  const negotiable = bare
    .filter(({ exchange, page }) => judgeMarkdown(page, notFoundProbe, exchange).verdict === "markdown")
    .slice(0, ASKED_BY_LISTS)
    .map(({ page }) => page)
  const listed = (yield* Effect.forEach(AGENT_ACCEPTS, (accept) => askFor(context, negotiable, accept), {
    concurrency: "unbounded"
  })).flat()
  return {
    pages: bare.map(({ exchange, page }) => ({
      ...negotiated(page, notFoundProbe, exchange),
      lists: listed.filter((one) => one.page === page).map((one) => judgeMarkdown(page, notFoundProbe, one.exchange))
    }))
  }
})

interface AskedPage {
  readonly page: Page
  readonly exchange: Exchange
}

const askFor = (
  context: GatherContext,
  pages: ReadonlyArray<Page>,
  accept: string
): Effect.Effect<ReadonlyArray<AskedPage>> =>
  Effect.map(context.collector.getAll(pages.map(({ url }) => ({ url, accept }))), (exchanges) =>
    pages.flatMap((page, index): ReadonlyArray<AskedPage> => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [{ page, exchange }]
    })
  )

/**
 * What an answer is, as the Markdown version of a page. `error_text`: a 2xx that says "not found" or is the
 * catch-all's. `foreign`: a text without the page's own words.
 */
export type MarkdownVerdict = "markdown" | "html" | "error_text" | "foreign" | "absent" | "unobtainable"

/** An exchange judged as the Markdown version of a page. */
export interface JudgedMarkdown {
  readonly exchange: Exchange
  readonly verdict: MarkdownVerdict
  /** The body as text; empty unless `verdict` is `markdown`. */
  readonly text: string
  /** What was read in it; `null` unless `verdict` is `markdown`. */
  readonly document: MarkdownDocument | null
}

const UNFOUND: Readonly<Record<FileVerdict, MarkdownVerdict>> = {
  found: "absent",
  html: "html",
  soft_404: "error_text",
  missing: "absent",
  unobtainable: "unobtainable"
}

/** Whether an exchange brought the Markdown version of a page. */
export const judgeMarkdown = (page: Page, notFoundProbe: NotFoundProbe, exchange: Exchange): JudgedMarkdown => {
  const without = (verdict: MarkdownVerdict): JudgedMarkdown => ({ exchange, verdict, text: "", document: null })
  const verdict = fileVerdict(notFoundProbe, exchange, "markdown")
  if (verdict !== "found" || !isAnswer(exchange)) return without(UNFOUND[verdict])
  const { text } = textOf(exchange)
  const document = readMarkdown(text)
  return hasOwnWords(page, document) ? { exchange, verdict: "markdown", text, document } : without("foreign")
}

const MEGABYTES = 1

export const negotiation = derivation({
  name: "negotiation",
  // Each of the first pages once, and some of them as agents ask.
  budget: { requests: OPENING_PAGES + ASKED_BY_LISTS * AGENT_ACCEPTS.length, megabytes: MEGABYTES },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (context: GatherContext, uses: Needs) {
    const [notFoundProbe, pages] = yield* Effect.all([uses.notFoundProbe, pagesToAsk(uses)], {
      concurrency: "unbounded"
    })
    return yield* gatherNegotiation(context, affordable(pages), notFoundProbe)
  })
})

type Needs = Using<{ notFoundProbe: NotFoundProbe; opening: ReadonlyArray<Page>; sample: Sample }>

/**
 * The first web pages of the sample: a Markdown file answers with Markdown whatever is asked for. A site without web pages is
 * asked for its first pages. The whole sample is waited for only where its first pages are not all web pages.
 */
const pagesToAsk = Effect.fnUntraced(function* (uses: Needs): Effect.fn.Return<ReadonlyArray<Page>> {
  const opening = yield* uses.opening
  if (opening.every(isWebPage)) return opening
  const webPages = (yield* uses.sample).pages.filter(isWebPage)
  return webPages.length === 0 ? opening : webPages.slice(0, OPENING_PAGES)
})

/** As many as fit the budget if they answer with HTML once more, in any case the first. */
const affordable = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  let left = MEGABYTES * 1024 * 1024
  return pages.filter(({ bytes }, index) => {
    const fits = index === 0 || bytes <= left
    left -= fits ? bytes : 0
    return fits
  })
}

const isWebPage = ({ format }: Page): boolean => format === "html"

const negotiated = (page: Page, notFoundProbe: NotFoundProbe, exchange: Exchange): Omit<NegotiatedPage, "lists"> => ({
  page,
  ...judgeMarkdown(page, notFoundProbe, exchange),
  mediaType: isAnswer(exchange) ? mediaType(exchange) : "",
  variesByAccept: isAnswer(exchange) && variesByAccept(header(exchange, "vary") ?? "")
})

const variesByAccept = (vary: string): boolean =>
  vary
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .some((name) => name === "accept" || name === "*")
