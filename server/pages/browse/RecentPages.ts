import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { LastingContent } from "../kit/LastingContent.ts"

/** A page to be shown again, or an answer that says why there is none. */
export type Seen = LastingContent | HttpServerResponse

/** For how long whoever asks for the same address gets the same page, in milliseconds: nobody reads faster. */
const FRESH_MS = 1_000

/** Addresses that are remembered at most. */
const MOST = 256

/** Longer addresses are nobody's favourites. */
const LONGEST = 500

/** Answers that were read from the store a moment ago, so that what everyone looks at is not read for everyone. */
export const makeRecentPages = () => {
  const pages = new Map<string, { readonly content: LastingContent; readonly until: number }>()

  const keep = (url: string, content: LastingContent, now: number): void => {
    pages.delete(url)
    pages.set(url, { content, until: now + FRESH_MS })
    for (const oldest of pages.keys()) {
      if (pages.size <= MOST) break
      pages.delete(oldest)
    }
  }

  /** The answer to a request: what was made for its address a moment ago, or what is made now. */
  return <E, R>(request: HttpServerRequest, make: Effect.Effect<Seen, E, R>): Effect.Effect<HttpServerResponse, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const recent = pages.get(request.url)
      if (recent !== undefined && now < recent.until) return recent.content.to(request)
      return Effect.flatMap(make, (seen) => {
        if (!(seen instanceof LastingContent)) return Effect.succeed(seen)
        if (request.url.length <= LONGEST) keep(request.url, seen, now)
        return seen.to(request)
      })
    })
}
