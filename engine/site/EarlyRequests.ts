import * as Effect from "effect/Effect"
import type { Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { placeAt } from "./base/Base.ts"
import { derivations } from "./Derivations.ts"

/**
 * Makes the early requests of all derivations while the base page is being read. None where that page may redirect: the
 * requests would be for another base.
 */
export const requestEarly = Effect.fn("Site.requestEarly")(function* (
  evidence: Evidence["Service"],
  { answer, audited, robots }: { readonly audited: string; readonly answer: Answer; readonly robots: Exchange }
) {
  if (mayRedirect(answer)) return
  const arrival = { base: placeAt(audited, answer.url), robots, limits: yield* FetchLimits }
  const requests = Object.values(derivations).flatMap(({ collector, early }) =>
    early === undefined ? [] : [evidence.collector(collector).getAll(early(arrival))]
  )
  yield* Effect.all(requests, { concurrency: "unbounded", discard: true })
})

/** Pages whose script does nothing but redirect are short. */
const SHORT_BYTES = 5_000

/** Judged by the bytes, without parsing the page: a meta refresh, or a short page with a script that may redirect. */
const mayRedirect = ({ body }: Answer): boolean => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return (
    /http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(text) || (body.byteLength < SHORT_BYTES && text.includes("location"))
  )
}
