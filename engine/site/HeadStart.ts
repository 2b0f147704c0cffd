import * as Effect from "effect/Effect"
import { normalise } from "../evidence/Address.ts"
import type { Ask, Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { aggregateAsks } from "./Aggregates.ts"
import { placeAt } from "./Base.ts"
import { canaryAddresses } from "./Canary.ts"
import { llmsCandidates } from "./LlmsTxt.ts"
import { robotsFileOf } from "./Robots.ts"
import { firstSitemaps, sitemapAsk } from "./Sitemap.ts"

/** What is known when the base page has arrived and nobody has read it yet. */
export interface Arrival {
  readonly audited: string
  readonly answer: Answer
  readonly robots: Exchange
}

/**
 * Asks for what is asked for on every site, whatever its first page says, while that page is being read. The collectors
 * are those that ask for the same again and find it at hand: nothing is fetched or charged twice. A page that may itself
 * lead elsewhere gets no head start.
 */
export const headStart = Effect.fn("HeadStart")(function*(evidence: Evidence["Service"], { answer, audited, robots }: Arrival) {
  if (mayLeadOn(answer)) return
  const { sitemapFiles } = yield* FetchLimits
  const place = placeAt(audited, answer.url)
  const sitemaps = firstSitemaps(place, { url: robots.asked.url, file: robotsFileOf(robots) }, normalise)
  const asks: ReadonlyArray<readonly [collector: string, ReadonlyArray<Ask | string>]> = [
    ["site/llms-txt", llmsCandidates(place)],
    ["site/sitemaps", sitemaps.slice(0, sitemapFiles).map(sitemapAsk)],
    ["site/canary", canaryAddresses(place).map(({ url }) => url)],
    ["site/aggregates", aggregateAsks(place)]
  ]
  yield* Effect.forEach(asks, ([name, list]) => evidence.collector(name).getAll(list), { concurrency: "unbounded", discard: true })
})

/** Pages that do nothing but lead on by a script are short. */
const SHORT_BYTES = 5_000

/** A look at the bytes, without reading the page: it may hold a meta refresh, or a script that does little else than lead on. */
const mayLeadOn = ({ body }: Answer): boolean => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return /http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(text) || (body.byteLength < SHORT_BYTES && text.includes("location"))
}
