import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Metric from "effect/Metric"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import { Clients } from "../http/request/Clients.ts"
import { requestPath } from "../http/request/RequestPath.ts"
import { adminRefusals } from "../observe/Metrics.ts"

/** Why a token was refused: invalid, without a role, or with a role that may only read. */
export type RefusalReason = "invalid" | "no_role" | "read_only"

/** Log lines per client IP address, so that guessing tokens cannot fill the log. */
const LINE_RATE = { amount: 10, windowMs: 60_000 }

/** Clients with a count of log lines. */
const MOST_CLIENTS = 1_000

const LONGEST_PATH = 200

const counters = {
  invalid: Metric.withAttributes(adminRefusals, { reason: "invalid" }),
  no_role: Metric.withAttributes(adminRefusals, { reason: "no_role" }),
  read_only: Metric.withAttributes(adminRefusals, { reason: "read_only" })
} as const

/** Counts each refused token and logs its sender, but never the token; only the name in a valid one. */
export const makeRefusedTokens = Effect.gen(function* () {
  const clients = yield* Clients
  const lines = makeMemoryBuckets(LINE_RATE, MOST_CLIENTS)
  yield* Effect.forEach(Object.values(counters), (counter) => Metric.update(counter, 0), { discard: true })

  return Effect.fnUntraced(function* (request: HttpServerRequest, reason: RefusalReason, holder: string | null) {
    yield* Metric.update(counters[reason], 1)
    const { address, rateKey } = clients.of(request)
    if (!lines.take(rateKey, 1, yield* Clock.currentTimeMillis).taken) return
    yield* Effect.logWarning("the admin API refused a token").pipe(
      Effect.annotateLogs({
        reason,
        client: address,
        method: request.method,
        path: requestPath(request.url).slice(0, LONGEST_PATH),
        ...(holder === null ? {} : { holder })
      })
    )
  })
})
