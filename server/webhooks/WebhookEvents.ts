import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { JudgedRun } from "../../engine/store/runs/RunHistory.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import { DeliveryStore, TEST_EVENT } from "../../engine/store/webhooks/DeliveryStore.ts"
import { type Webhook, type WebhookEvent, WebhookStore } from "../../engine/store/webhooks/WebhookStore.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { pollPath, sharePath } from "../audits/FinishedRuns.ts"
import { changesSince, type EarnedChange, type RunChanges, runComparison } from "../audits/RunChanges.ts"
import { addresses } from "../config/Settings.ts"

/** The largest message, in bytes, as Standard Webhooks has it. */
export const LARGEST_MESSAGE = 20 * 1_024

/** No message tells of a run that finished longer ago, in milliseconds. */
const LONGEST_AGO_MS = 24 * 60 * 60_000

/** Longest title of a criterion, in characters. */
const LONGEST_TITLE = 200

/**
 * Writes the deliveries of finished runs: one for each webhook of the site and each type that it asks for and that applies. Each is an event
 * of its own, so that a receiver needs to know one type only.
 */
export const webhookEvents = Effect.gen(function* () {
  const runs = yield* RunStore
  const history = yield* RunHistory
  const webhooks = yield* WebhookStore
  const deliveries = yield* DeliveryStore
  const blocks = yield* SiteBlocks
  const { compares, titles } = yield* runComparison
  const { base } = yield* addresses

  const eventsOf = Effect.fnUntraced(function* (runId: string) {
    const run = yield* runs.find(runId)
    if (run === null || run.finishedAt === null || (yield* blocks.covering(run.site)) !== null) return
    // This service was down, or had its webhooks turned off.
    if (Date.parse(run.finishedAt) < (yield* Clock.currentTimeMillis) - LONGEST_AGO_MS) return
    // Not this run if an operator has hidden it meanwhile.
    const [now, before] = yield* history.judged(run.site, 2, run.startedAt)
    if (now === undefined || now.run.id !== runId) return
    const changes = changesSince(now, before, yield* compares)
    for (const webhook of yield* webhooks.active(run.site))
      for (const type of webhook.events.filter((event) => APPLIES[event](changes)))
        yield* deliveries.add(webhook.id, { type, runId, body: runMessage(type, { base, now, changes, titles }) })
  })

  /** Takes a run that has finished and writes its deliveries; false if there is none. Call it in a transaction. */
  return Effect.gen(function* (): Effect.fn.Return<boolean, StoreUnavailable> {
    const runId = yield* deliveries.takeRun
    if (runId === null) return false
    // A bug must not keep the runs behind it from being told of.
    yield* Effect.catchDefect(eventsOf(runId), (defect) =>
      Effect.annotateLogs(Effect.logError("no webhook is told of a run", defect), { run: runId })
    )
    return true
  })
})

/** Whether an event of a type happened. */
const APPLIES: Readonly<Record<WebhookEvent, (changes: RunChanges) => boolean>> = {
  "audit.finished": () => true,
  "score.fell": ({ delta }) => delta !== null && delta < 0,
  "criterion.lost": ({ lost }) => lost.length > 0
}

/** A finished run, as a message tells of it. */
interface ToldRun {
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  readonly now: JudgedRun
  readonly changes: RunChanges
  /** Titles of criteria by their ids. */
  readonly titles: ReadonlyMap<string, string>
}

/** The message of an event. Of a rubric with very many criteria it names as many changes as fit, and says so by `cut`. */
export const runMessage = (type: WebhookEvent, told: ToldRun): string => {
  const { gained, lost } = told.changes
  for (let most = Math.max(gained.length, lost.length); ; most = Math.floor(most / 2)) {
    const message = messageNaming(type, told, most)
    if (Buffer.byteLength(message) <= LARGEST_MESSAGE || most === 0) return message
  }
}

const messageNaming = (type: WebhookEvent, { base, changes, now: { run }, titles }: ToldRun, most: number): string => {
  const { before, delta, gained, lost } = changes
  const named = (all: ReadonlyArray<EarnedChange>) =>
    all.slice(0, most).map(({ from, to }) => ({
      id: to.id,
      title: plainText(titles.get(to.id) ?? to.id, LONGEST_TITLE),
      from: from.score,
      to: to.score,
      max: to.max
    }))
  return JSON.stringify({
    type,
    timestamp: run.finishedAt ?? run.startedAt,
    data: {
      base_url: run.url,
      run_id: run.id,
      share_url: base + sharePath(run.id),
      report_url: base + pollPath(run.id),
      total_score: run.totalScore,
      reliable: run.reliable,
      previous: before === null ? null : { run_id: before.run.id, total_score: before.run.totalScore },
      delta,
      lost: named(lost),
      gained: named(gained),
      ...(Math.max(gained.length, lost.length) > most ? { cut: true } : {})
    }
  })
}

/** The message by which an owner tries a webhook out. */
export const testMessage = Effect.fnUntraced(function* ({ baseUrl, events, id }: Webhook) {
  const now = DateTime.makeUnsafe(yield* Clock.currentTimeMillis)
  return JSON.stringify({
    type: TEST_EVENT,
    timestamp: DateTime.formatIso(now),
    data: { webhook_id: id, base_url: baseUrl, events }
  })
})
