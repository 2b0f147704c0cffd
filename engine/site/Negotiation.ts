import * as Effect from "effect/Effect"
import { type Exchange, header, isAnswer, mediaType } from "../evidence/Exchange.ts"
import type { Canary } from "./Canary.ts"
import type { Gathering } from "./Gathering.ts"
import { type JudgedMarkdown, judgeMarkdown } from "./Markdown.ts"
import type { Page } from "./Page.ts"

/** What the first pages of the sample answer to `Accept: text/markdown`. */
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
export const gatherNegotiation = (gathering: Gathering, pages: ReadonlyArray<Page>, canary: Canary): Effect.Effect<Negotiation> => {
  const asks = pages.map(({ url }) => ({ url, accept: "text/markdown" }))
  return Effect.map(gathering.collector.getAll(asks), (exchanges) => ({
    pages: pages.flatMap((page, index): ReadonlyArray<NegotiatedPage> => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [negotiated(page, canary, exchange)]
    })
  }))
}

const negotiated = (page: Page, canary: Canary, exchange: Exchange): NegotiatedPage => ({
  page,
  ...judgeMarkdown(page, canary, exchange),
  mediaType: isAnswer(exchange) ? mediaType(exchange) : "",
  variesByAccept: isAnswer(exchange) && variesByAccept(header(exchange, "vary") ?? "")
})

const variesByAccept = (vary: string): boolean =>
  vary.toLowerCase().split(",").map((name) => name.trim()).some((name) => name === "accept" || name === "*")
