import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type Using } from "../base/Derivation.ts"
import { type Exchange, header, isAnswer, mediaType } from "../../evidence/Exchange.ts"
import type { NotFoundProbe } from "../wellknown/NotFoundProbe.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import { type JudgedMarkdown, judgeMarkdown } from "./JudgedMarkdown.ts"
import type { Page } from "../../page/Page.ts"
import { OPENING_PAGES, type Sample } from "../sample/Sample.ts"

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
}

/** Asks for pages as Markdown. */
export const gatherNegotiation = (
  context: GatherContext,
  pages: ReadonlyArray<Page>,
  notFoundProbe: NotFoundProbe
): Effect.Effect<Negotiation> => {
  const asks = pages.map(({ url }) => ({ url, accept: "text/markdown" }))
  return Effect.map(context.collector.getAll(asks), (exchanges) => ({
    pages: pages.flatMap((page, index): ReadonlyArray<NegotiatedPage> => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [negotiated(page, notFoundProbe, exchange)]
    })
  }))
}

export const negotiation = derivation({
  name: "negotiation",
  // Each of the first pages, once.
  budget: { requests: OPENING_PAGES, megabytes: 1 },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (context: GatherContext, uses: Needs) {
    const [notFoundProbe, pages] = yield* Effect.all([uses.notFoundProbe, pagesToAsk(uses)], {
      concurrency: "unbounded"
    })
    return yield* gatherNegotiation(context, pages, notFoundProbe)
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

const isWebPage = ({ format }: Page): boolean => format === "html"

const negotiated = (page: Page, notFoundProbe: NotFoundProbe, exchange: Exchange): NegotiatedPage => ({
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
