import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { below } from "../../evidence/Address.ts"
import { RANK } from "../../evidence/AuditBudget.ts"
import { openingOf } from "../../evidence/BodyText.ts"
import { type Exchange, isGone, isOk } from "../../evidence/Exchange.ts"
import { derivation } from "../base/Derivation.ts"
import type { BaseAddress } from "../base/GatherContext.ts"
import { comparableBody, formsOf } from "./ComparableBody.ts"

/** URLs that no site has a page at, and what the site answered. */
export interface NotFoundProbe {
  /** Two below `B` and one below `R`, in the order of the requests. */
  readonly places: ReadonlyArray<ProbedUrl>
  /** Any of them was answered with a 2xx, so a 2xx alone proves nothing on this site. */
  readonly catchAll: boolean
}

export interface ProbedUrl {
  readonly url: string
  readonly exchange: Exchange
  /** Answered with a 2xx. */
  readonly catchAll: boolean
  /** Answered with 404 or 410. */
  readonly honest: boolean
  /** See `comparableBody`; empty unless `catchAll`. */
  readonly body: string
}

/**
 * Three URLs: derived from the audited URL, so that a recorded audit can be replayed, and with a name that explains itself
 * in a server's log. One looks like a page, two like files that are requested later, because sites route those differently.
 */
export const probeUrls = (base: BaseAddress): ReadonlyArray<string> => {
  const hash = createHash("sha256").update(base.audited).digest("hex")
  const name = (from: number) => `docgauge-canary-${hash.slice(from, from + 12)}`
  return [below(base.folder, name(0)), below(base.folder, `${name(12)}.md`), below(base.origin, `${name(24)}.txt`)]
}

export const notFoundProbe = derivation({
  name: "not-found-probe",
  // Each of the made-up URLs, once.
  budget: { requests: 3, megabytes: 1 },
  rank: RANK.sample,
  early: ({ base }) => probeUrls(base),
  gather: ({ base, collector }): Effect.Effect<NotFoundProbe> => {
    const urls = probeUrls(base)
    return Effect.map(collector.getAll(urls), (exchanges) => {
      const places = exchanges.flatMap((exchange, index) => {
        const url = urls[index]
        return url === undefined ? [] : [probedUrl(url, exchange)]
      })
      return { places, catchAll: places.some((place) => place.catchAll) }
    })
  }
})

const probedUrl = (url: string, exchange: Exchange): ProbedUrl => ({
  url,
  exchange,
  catchAll: isOk(exchange),
  honest: isGone(exchange),
  body: isOk(exchange) ? comparableBody(openingOf(exchange), formsOf(exchange.asked.url)) : ""
})
