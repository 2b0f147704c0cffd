import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import { FetchLimits, limitsWith } from "../evidence/FetchLimits.ts"
import { guardedHttp } from "../evidence/http/GuardedHttp.ts"
import { retryAfterMs } from "../evidence/politeness/RateLimits.ts"
import { type Hop, Transport } from "../evidence/Transport.ts"
import { plainText } from "../text/PlainText.ts"
import type { Post, PostAnswer, PostTask } from "./AuditTask.ts"
import type { Parent } from "./AuditWork.ts"

/** Bounds of one post. What the receiver answers with is read only to keep its connection in order. */
const POST_LIMITS = limitsWith({
  connectMs: 5_000,
  firstByteMs: 10_000,
  stallMs: 5_000,
  exchangeMs: 10_000,
  overheadBytes: 64 * 1_024,
  auditBytes: Number.POSITIVE_INFINITY
})

const ANSWER_BYTES = 4 * 1_024

/** Longest wait that a receiver's `Retry-After` can ask for, in milliseconds: two days. */
const LONGEST_WAIT_MS = 172_800_000

/** Posts messages over the guarded network, and sends what came of them to the parent. No redirect is followed. */
export const carryOutPosts = Effect.fn("PostWork.carryOut")(function* (
  { network, posts }: PostTask,
  { tell }: Pick<Parent, "tell">
): Effect.fn.Return<void> {
  const startedAt = yield* Clock.currentTimeMillis
  const answers = yield* Effect.forEach(posts, postOne, { concurrency: "unbounded" }).pipe(
    Effect.provide(guardedHttp(network).pipe(Layer.provide(Layer.succeed(FetchLimits, POST_LIMITS))))
  )
  tell({ _tag: "Posted", answers })
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  tell({ _tag: "Ended", failure: null, durationMs, bytes: 0, residentBytes: process.memoryUsage.rss() })
})

const postOne = Effect.fnUntraced(function* ({
  body,
  headers,
  url
}: Post): Effect.fn.Return<PostAnswer, never, Transport> {
  const { send } = yield* Transport
  const hop = yield* send({
    asked: { method: "POST", url, accept: "*/*", agent: "docgauge", body },
    headers,
    limitBytes: ANSWER_BYTES
  })
  return answerOf(hop, yield* Clock.currentTimeMillis)
})

const answerOf = (hop: Hop, now: number): PostAnswer => {
  if (hop._tag === "HopFault") return { status: null, problem: plainText(hop.message, 200), retryAfterMs: null }
  const wait = retryAfterMs(hop.headers, now)
  return {
    status: hop.status,
    problem: null,
    retryAfterMs: wait === null ? null : Math.min(Math.max(0, Math.round(wait)), LONGEST_WAIT_MS)
  }
}
