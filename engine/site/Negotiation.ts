import * as Effect from "effect/Effect"
import { type Exchange, header, isAnswer, mediaType } from "../evidence/Exchange.ts"
import type { Canary } from "./Canary.ts"
import type { Gathering } from "./Gathering.ts"
import { type JudgedMarkdown, judgeMarkdown } from "./Markdown.ts"
import type { Page } from "./Page.ts"
import type { Sample } from "./Sample.ts"

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

const ASKED_PAGES = 5

/** Asks for the first five pages of the sample as Markdown. */
export const gatherNegotiation = (gathering: Gathering, sample: Sample, canary: Canary): Effect.Effect<Negotiation> => {
  const pages = sample.pages.slice(0, ASKED_PAGES)
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
