import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { NAMED_AGENTS } from "../audit/agents/NamedAgents.ts"
import { runAudit } from "../audit/Audit.ts"
import {
  type AuditEvent,
  type AuditFailed,
  type AuditOutcome,
  type AuditRequest,
  runInfoOf
} from "../audit/AuditRequest.ts"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { siteFormOf, sitesAbove } from "../evidence/Address.ts"
import type { ArchiveError, Recorded } from "../evidence/archive/Archive.ts"
import { MOST_ARCHIVE_BYTES } from "../evidence/archive/ArchiveCuts.ts"
import { loadWarcWriter, writeArchive } from "../evidence/archive/Recording.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { BodyAdmission, bodyAdmission } from "../evidence/http/BodyAdmission.ts"
import { BytesReceived } from "../evidence/http/ExchangeMeter.ts"
import { guardedHttp } from "../evidence/http/GuardedHttp.ts"
import { politely } from "../evidence/politeness/Politeness.ts"
import { hopFault, NOTHING_SENT, Transport } from "../evidence/Transport.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { RunResult } from "../store/runs/RunStore.ts"
import { auditFailureOf, resultOf } from "./AuditResult.ts"
import {
  ARCHIVE_FILE,
  type AuditFailure,
  type AuditTask,
  type ChildMessage,
  LARGEST_RESULT,
  LONGEST_SHOWN_URL,
  RESULT_FILE,
  SHOWN_URLS
} from "./AuditTask.ts"
import { FREE_BYTES } from "./ProcessLimits.ts"
import { temporaryFilesError } from "./TemporaryFiles.ts"

/** An audit process's connection to its parent. */
export interface Parent {
  readonly tell: (message: ChildMessage) => void
  /** Asks permission to hold more than `FREE_BYTES`; resolves when it is granted. */
  readonly admitLarge: () => Promise<void>
  /** See `SendPermit`. */
  readonly maySend: Effect.Effect<void>
}

/** Runs one audit, writes its result and archive to the task's folder, and sends its end to the parent. */
export const carryOut = Effect.fn("AuditWork.carryOut")(function* (
  task: AuditTask,
  rubric: LoadedRubric<BoundCriterion>,
  parent: Parent
): Effect.fn.Return<void, never, ParserPool> {
  const startedAt = yield* Clock.currentTimeMillis
  const { asAgents, blockedSites, date, folder, limits, network, sampleSize, url } = task
  const request: AuditRequest = {
    url,
    date,
    sampleSize,
    canonicalOrigin: null,
    ...(asAgents ? { asAgents: NAMED_AGENTS.map(({ id }) => id), asAgentsHost: new URL(url).host } : {}),
    rubric,
    listen: stepsTo(parent)
  }
  let bytes = 0
  const transport = counted(parent).pipe(
    Layer.provide(avoiding(blockedSites)),
    Layer.provide(politely()),
    Layer.provide(permitted(parent)),
    Layer.provide(guardedHttp(network)),
    Layer.provide([
      Layer.succeed(FetchLimits, limits),
      Layer.succeed(BytesReceived, (count) => {
        bytes += count
      }),
      savingMemory(bodyAdmission(FREE_BYTES, parent.admitLarge))
    ])
  )
  void loadWarcWriter()
  // The first progress that a client sees of the audit.
  parent.tell({ _tag: "Measured", done: 0, total: rubric.criteria.length + rubric.experimental.length, criteria: [] })
  const outcome = yield* runAudit(request).pipe(
    Effect.provide(transport),
    Effect.provideService(FetchLimits, limits),
    Effect.map((audited): AuditOutcome | AuditFailed => audited),
    Effect.catch((failed) => Effect.succeed(failed))
  )
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  const [, failure] = yield* Effect.all(
    [
      keepArchive(join(folder, ARCHIVE_FILE), request, task, outcome.journal),
      "report" in outcome
        ? keepResult(join(folder, RESULT_FILE), outcome, { durationMs, bytes })
        : Effect.succeed(auditFailureOf(outcome))
    ],
    { concurrency: "unbounded" }
  )
  parent.tell({ _tag: "Ended", failure, durationMs, bytes, residentBytes: process.memoryUsage.rss() })
})

/** Tells the parent what was measured, and what was requested last. */
const stepsTo = ({ tell }: Parent): ((event: AuditEvent) => void) => {
  const criteria: Array<string> = []
  let urls: ReadonlyArray<string> = []
  return (event) => {
    if (event._tag === "Measured") {
      criteria.push(event.criterion)
      tell({ _tag: "Measured", done: event.done, total: event.total, criteria: [...criteria] })
    } else if (event._tag === "Sent") {
      urls = [event.url.slice(0, LONGEST_SHOWN_URL), ...urls].slice(0, SHOWN_URLS)
      tell({ _tag: "Fetching", urls })
    }
  }
}

const keepResult = Effect.fnUntraced(function* (
  path: string,
  outcome: AuditOutcome,
  cost: Pick<RunResult, "durationMs" | "bytes">
): Effect.fn.Return<AuditFailure | null> {
  const encoded = JSON.stringify(yield* resultOf(outcome, cost))
  if (Buffer.byteLength(encoded) > LARGEST_RESULT) return TOO_LARGE
  return yield* Effect.tryPromise(() => writeFile(path, encoded)).pipe(
    Effect.as(null),
    Effect.catch(({ cause }) => Effect.succeed({ error: temporaryFilesError(cause), advice: null }))
  )
})

const TOO_LARGE: AuditFailure = {
  error: { code: "internal", message: "The report of this site is too large for this service." },
  advice: null
}

/** Failing to write the archive must not lose the report. */
const keepArchive = (
  path: string,
  request: AuditRequest,
  { limits, network }: AuditTask,
  journal: ReadonlyArray<Recorded>
): Effect.Effect<void> =>
  writeArchive(path, runInfoOf(request, limits, network.userAgents), journal, MOST_ARCHIVE_BYTES).pipe(
    Effect.catch(({ message }: ArchiveError) =>
      Effect.sync(() => {
        process.stderr.write(`${message}\n`)
      })
    )
  )

/** The underlying transport, with another way to send: every request and every redirect passes it. */
const sendingBy = (way: (send: Send) => Send): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Transport.useSync(({ send }) => ({ send: way(send) }))
  )

type Send = Transport["Service"]["send"]

/** Sends nothing to these sites. */
const avoiding = (sites: ReadonlyArray<string>): Layer.Layer<Transport, never, Transport> =>
  sendingBy(
    (send) => (request) =>
      sitesAbove(siteFormOf(request.asked.url)).some((site) => sites.includes(site))
        ? Effect.succeed(AVOIDED)
        : send(request)
  )

const AVOIDED = hopFault("blocked", "an operator of this service has blocked that site", {
  ...NOTHING_SENT,
  attempts: 0
})

/** Waits while nothing may be sent. */
const permitted = ({ maySend }: Parent): Layer.Layer<Transport, never, Transport> =>
  sendingBy((send) => (request) => Effect.andThen(maySend, send(request)))

/** Reports each attempt to the parent. */
const counted = ({ tell }: Parent): Layer.Layer<Transport, never, Transport> =>
  sendingBy(
    (send) => (request) =>
      Effect.tap(send(request), ({ meta }) => Effect.sync(() => tell({ _tag: "Requested", count: meta.attempts })))
  )

/** Bytes of kept bodies after which garbage is collected. */
const COLLECT_AFTER = 8 * 1024 * 1024

/**
 * When garbage is collected first of an audit that waits, in milliseconds after it asked; each further wait is twice as long. On an idle
 * machine its first pages have been read after the first, on a busy one after the third or fourth.
 */
const COLLECT_WAITING_MS = 500

/** When garbage is collected after an audit, in milliseconds. */
const COLLECT_ENDED_MS = 200

/**
 * `admission`, with memory saved from when an audit asks for permission to hold many bytes until its end: heaps grow by small steps, and
 * garbage is collected while it waits and as it holds more. That takes 15 % more CPU, which small sites, that never ask, do not
 * pay; four audits of 50 MB sites at once need 460 MB instead of 620 (test/bench/memory.ts).
 */
export const savingMemory = (admission: BodyAdmission): Layer.Layer<never> =>
  Layer.effect(
    BodyAdmission,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => makeSaving(admission)),
        ({ end }) => Effect.sync(end)
      ),
      ({ saving }) => saving
    )
  )

const makeSaving = (admission: BodyAdmission) => {
  let isSaving = false
  let uncollected = 0
  let collecting: NodeJS.Timeout | undefined
  const collectAfter = (ms: number): void => {
    collecting = setTimeout(() => {
      collect()
      collectAfter(2 * ms)
    }, ms).unref()
  }
  const begin = (waiting: Promise<void>): void => {
    isSaving = true
    // Node lets V8 read this flag at any time.
    setFlagsFromString("--optimize-for-size")
    collectAfter(COLLECT_WAITING_MS)
    const stop = (): void => clearTimeout(collecting)
    waiting.then(stop, stop)
  }
  const saving: BodyAdmission = {
    admit: (bytes) => {
      const waiting = admission.admit(bytes)
      if (waiting !== null && !isSaving) begin(waiting)
      return waiting
    },
    keep: (bytes) => {
      admission.keep(bytes)
      uncollected += bytes
      if (uncollected < COLLECT_AFTER) return
      uncollected = 0
      collect()
    }
  }
  const end = (): void => {
    clearTimeout(collecting)
    if (!isSaving) return
    setFlagsFromString("--no-optimize-for-size")
    // What the audit held can be collected only once its report has been sent.
    setTimeout(collect, COLLECT_ENDED_MS).unref()
  }
  return { saving, end }
}

/** There is no `gc` where the process was started without `--expose-gc`, as in tests. */
const collect = (): void => {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
}
