import * as Effect from "effect/Effect"
import type { Collector } from "../../evidence/Collector.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { fileVerdict, type NotFoundProbe } from "../wellknown/FileVerdict.ts"
import type { Using } from "../base/Derivation.ts"
import { evenStride } from "../base/EvenStride.ts"

/** A URL that was looked at, and what it leads to. */
export interface Spot {
  readonly url: string
  readonly exchange: Exchange
  /** `error`: the site's own error answer, or an error page with status 200. `off_site`: redirected to another site. */
  readonly outcome: "resolves" | "error" | "off_site" | "unobtainable"
  /** It was already fetched for another purpose. */
  readonly free: boolean
}

interface SpotCheckOptions {
  /** How many URLs are looked at, at most. */
  readonly size: number
  /** How many of them are fetched for it, at most. */
  readonly fetches: number
  /** What was fetched already: looking at it again costs nothing. */
  readonly fetched: ReadonlyArray<Exchange>
}

/**
 * Looks at some of the URLs, in the order given: those that were fetched already, then an even stride over the
 * others.
 */
export const spotCheck = Effect.fn("SpotCheck")(function* (
  site: Pick<Collector, "getAll"> & Using<{ notFoundProbe: NotFoundProbe }>,
  urls: ReadonlyArray<string>,
  { fetched, fetches, size }: SpotCheckOptions
): Effect.fn.Return<ReadonlyArray<Spot>> {
  const known = new Map(
    fetched.filter((exchange) => !isLeftOut(exchange)).map((exchange) => [exchange.asked.url, exchange])
  )
  const distinct = [...new Set(urls)]
  const free = evenStride(
    distinct.filter((url) => known.has(url)),
    size
  )
  const paid = evenStride(
    distinct.filter((url) => !known.has(url)),
    Math.min(fetches, size - free.length)
  )
  const answers = yield* site.getAll(paid)
  for (const [index, url] of paid.entries()) {
    const answer = answers[index]
    if (answer !== undefined) known.set(url, answer)
  }
  const notFoundProbe = yield* site.notFoundProbe
  const chosen = new Map([...free.map((url) => [url, true] as const), ...paid.map((url) => [url, false] as const)])
  return distinct.flatMap((url) => {
    const free = chosen.get(url)
    const exchange = known.get(url)
    return free === undefined || exchange === undefined
      ? []
      : [{ url, exchange, free, outcome: spotOutcome(notFoundProbe, exchange) }]
  })
})

/** Another's budget did not reach for it. */
const isLeftOut = (exchange: Exchange): boolean => exchange._tag === "Fault" && exchange.kind === "budget"

/** What a URL leads to, by its response. */
export const spotOutcome = (notFoundProbe: NotFoundProbe, exchange: Exchange): Spot["outcome"] => {
  const verdict = fileVerdict(notFoundProbe, exchange, "any")
  if (verdict === "unobtainable") return "unobtainable"
  if (exchange._tag === "Fault") return "off_site"
  return verdict === "found" ? "resolves" : "error"
}

/** What a URL that leads nowhere answers, as a clause: "answers 404", "is an error page with status 200". */
export const errorClause = ({ exchange }: Spot): string => {
  if (exchange._tag === "Fault") return `failed: ${exchange.message}`
  return exchange.status < 300 ? `is an error page with status ${exchange.status}` : `returns ${exchange.status}`
}
