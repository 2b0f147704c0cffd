import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import { createHmac } from "node:crypto"
import { isSuccess } from "../../engine/evidence/Exchange.ts"
import type { AuditProcessDied } from "../../engine/process/AuditProcess.ts"
import { MOST_POSTS, type Post, type PostAnswer } from "../../engine/process/AuditTask.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  DeliveryStore,
  SWEEP_INTERVAL_MS,
  TEST_EVENT
} from "../../engine/store/webhooks/DeliveryStore.ts"
import { webhookDeliveryCounters } from "../observe/Metrics.ts"
import { webhookEvents } from "../webhooks/WebhookEvents.ts"
import { WebhookPosts } from "../webhooks/WebhookPosts.ts"

/** How often a process looks for deliveries that are due. */
export const WebhookInterval = Context.Reference<Duration.Input>("docgauge/server/WebhookInterval", {
  defaultValue: () => "2 seconds"
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The wait after each attempt that failed but the last, in milliseconds: 8 attempts within 23 hours and 21 minutes. */
export const WAITS: ReadonlyArray<number> = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR]

/** Each wait is longer by up to this share, at random, so that deliveries which failed together do not stay together. */
const JITTER = 0.02

/** Nothing is sent again later than this after the event, in milliseconds. */
const LONGEST_MS = 24 * HOUR

const GONE = 410

/** Waits this long before an attempt that this process could not make, in milliseconds. */
const UNABLE_MS = MINUTE

/**
 * Tells webhooks of finished runs. Each process that runs audits does so, and each attempt is made by one of them. A process that dies after
 * it has sent a delivery and before it has written so leaves it to be sent again, under the same id.
 */
export const webhookDeliveries = Layer.effectDiscard(
  Effect.gen(function* () {
    const deliveries = yield* DeliveryStore
    const posts = yield* WebhookPosts
    const blocks = yield* SiteBlocks
    const transactions = yield* Transactions
    const writeEvents = yield* webhookEvents
    yield* Effect.forEach(Object.values(webhookDeliveryCounters), (counter) => Metric.update(counter, 0), {
      discard: true
    })

    const settle = Effect.fnUntraced(function* (claimed: ClaimedDelivery, outcome: DeliveryOutcome) {
      if (yield* deliveries.settle(claimed, outcome)) yield* Metric.update(webhookDeliveryCounters[outcome._tag], 1)
    })

    /** Why a delivery is not to be sent any more; `null` if it is. */
    const obstacleTo = Effect.fnUntraced(function* ({
      attempt,
      isWithdrawn,
      site,
      type
    }: ClaimedDelivery): Effect.fn.Return<DeliveryOutcome | null, StoreUnavailable> {
      if (isWithdrawn) return { _tag: "Dropped", problem: "The run was deleted, or an operator has hidden it." }
      if ((yield* blocks.covering(site)) !== null)
        return { _tag: "Dropped", problem: "An operator of this service has blocked the site." }
      return attempt > mostAttempts(type) ? { _tag: "Failed", status: null, problem: UNKNOWN_END, ends: null } : null
    })

    const send = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedDelivery>) {
      if (claimed.length === 0) return
      const now = yield* Clock.currentTimeMillis
      const answers = yield* posts.post(claimed.map((each) => signedPost(each, now)))
      yield* Effect.forEach(
        claimed,
        (each, index) =>
          Effect.flatMap(outcomeOf(each, answers[index] ?? NO_ANSWER), (outcome) => settle(each, outcome)),
        { discard: true }
      )
    })

    /** Sends what is due; false if nothing is. */
    const sendDue = Effect.gen(function* () {
      const claimed = yield* deliveries.claimDue(MOST_POSTS)
      const sendable: Array<ClaimedDelivery> = []
      for (const each of claimed) {
        const obstacle = yield* obstacleTo(each)
        if (obstacle === null) sendable.push(each)
        else yield* settle(each, obstacle)
      }
      yield* Effect.catchTag(send(sendable), "AuditProcessDied", (died: AuditProcessDied) =>
        Effect.andThen(
          Effect.logWarning(`webhooks could not be sent: ${died.detail}`),
          Effect.forEach(sendable, (each) => settle(each, afterDeath(died)), { discard: true })
        )
      )
      return claimed.length > 0
    })

    const writeAll = Effect.repeat(Effect.uninterruptible(transactions.atomic(writeEvents)), {
      while: (wrote) => wrote
    })
    const round = Effect.andThen(writeAll, Effect.repeat(sendDue, { while: (sent) => sent }))

    yield* Effect.flatMap(deliveries.isIdle, (isIdle) => (isIdle ? Effect.void : round)).pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not send webhooks" }),
      Effect.delay(yield* WebhookInterval),
      Effect.forever,
      Effect.forkScoped
    )
    yield* deliveries.sweep.pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not delete old deliveries of webhooks" }),
      Effect.delay(SWEEP_INTERVAL_MS),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

/** The delivery as Standard Webhooks has it: signed with the bytes of its webhook's secret. */
export const signedPost = ({ body, id, secret, url }: ClaimedDelivery, now: number): Post => {
  const timestamp = Math.floor(now / 1_000)
  const signature = createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64")
  return {
    url,
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${signature}`
    }
  }
}

const NO_ANSWER: PostAnswer = { status: null, problem: "the process that sent it did not say", retryAfterMs: null }

const UNKNOWN_END = "The process that made the last attempt ended before it wrote what came of it."

/** A process that was never started has sent nothing; any other may have, so the attempt counts. */
const afterDeath = ({ reason }: AuditProcessDied): DeliveryOutcome =>
  reason === "not_started"
    ? { _tag: "Unsent", afterMs: UNABLE_MS }
    : { _tag: "Later", status: null, problem: "The process that sent it ended early.", afterMs: UNABLE_MS }

const mostAttempts = (type: string): number => (type === TEST_EVENT ? 1 : WAITS.length + 1)

/** What an answer means for its delivery: a 2xx ends it, a 410 ends its webhook, and all else is tried again. */
export const outcomeOf = Effect.fnUntraced(function* (
  { ageMs, attempt, type }: ClaimedDelivery,
  { problem, retryAfterMs, status }: PostAnswer
): Effect.fn.Return<DeliveryOutcome> {
  if (status !== null && isSuccess(status)) return { _tag: "Delivered", status }
  const failed = { _tag: "Failed", status, problem: problem ?? `The receiver answered ${status}.`, ends: null } as const
  if (status === GONE)
    return type === TEST_EVENT ? failed : { ...failed, ends: "The receiver answered 410: it is gone." }
  if (attempt >= mostAttempts(type)) return failed
  const afterMs = yield* waitAfter(attempt, retryAfterMs)
  return ageMs + afterMs > LONGEST_MS ? failed : { _tag: "Later", status, problem: failed.problem, afterMs }
})

/** As long as the receiver asks for, but not shorter than usual, and at most as long as after the next attempt. */
const waitAfter = (attempt: number, retryAfterMs: number | null): Effect.Effect<number> => {
  const usual = WAITS[attempt - 1] ?? 0
  const longest = WAITS[attempt] ?? usual
  const wait = Math.max(usual, Math.min(retryAfterMs ?? 0, longest))
  return Effect.map(Random.next, (random) => Math.round(wait * (1 + JITTER * random)))
}
