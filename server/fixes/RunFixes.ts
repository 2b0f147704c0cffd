import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { appendFile, writeFile } from "node:fs/promises"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { LimitDecision, LimitRefusal } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { AuditProcesses } from "../../engine/process/AuditProcesses.ts"
import { slowFix } from "../../engine/process/ProcessLimits.ts"
import { temporaryFilesError } from "../../engine/process/TemporaryFiles.ts"
import { type MadeFixes, makeFixer, type NotFixed } from "../../engine/schedule/Fixer.ts"
import { ArchiveStore } from "../../engine/store/archives/ArchiveStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { shellUrl } from "../../engine/text/PlainText.ts"
import type { PlanSummary } from "../../engine/fix/plan/PlanSummary.ts"
import { layerAuditProcesses } from "../audits/AuditProcessLayer.ts"
import { RubricInForce } from "../config/RubricInForce.ts"
import { type Cacheable, CachedResponse, ResponseCache } from "../response/ResponseCache.ts"
import { EncodedBody } from "../response/EncodedBody.ts"
import { JSON_TYPE } from "../response/CommonHeaders.ts"
import { makeSingleFlight } from "../response/SingleFlight.ts"
import { makePlanTurns, type PlanRequest } from "./PlanTurns.ts"

/**
 * How long the reason is kept why there are no fixes of a run, so that one hostile archive cannot keep a process busy: archives never
 * change. `null`: not at all.
 */
const FAILURE_TIMES_TO_LIVE = { archive: "6 hours", crash: "10 minutes", service: null } as const

/** Seconds until it makes sense to ask again if others wait. */
export const BUSY_SECONDS = 20

/** The fixes of a run as they are cached. */
export class KeptFixes {
  readonly plan: PlanSummary
  readonly json: CachedResponse
  readonly zip: CachedResponse
  readonly zipBytes: number

  constructor(id: string, { json, plan, zip }: MadeFixes) {
    this.plan = plan
    this.json = new CachedResponse(new EncodedBody(Buffer.from(json).toString("utf8")), { type: JSON_TYPE })
    this.zip = new CachedResponse(zip, {
      type: "application/zip",
      headers: { "content-disposition": `attachment; filename="docgauge-fix-${id}.zip"` }
    })
    this.zipBytes = zip.byteLength
  }

  /** Bytes of memory; the plan is part of the JSON. */
  get cost(): number {
    return this.zip.cost + this.json.cost
  }
}

/** Why there are no fixes of a run. */
export class NoFixes extends Data.TaggedError("NoFixes")<{
  /**
   * `no_archive`: it is no longer kept. `unusable`: no fixes can be made from it. `internal`: a fault of ours. `busy`: others wait.
   * `deleted`: the run was deleted meanwhile.
   */
  readonly reason: "no_archive" | "unusable" | "internal" | "busy" | "deleted"
  /** What happened; it may quote the site. */
  readonly message: string
  /** What to do, in one sentence. */
  readonly advice: string
}> {}

export class FixesLimited extends Data.TaggedError("FixesLimited")<{ readonly refusal: LimitRefusal }> {}

export type FixesError = NoFixes | FixesLimited | StoreUnavailable

class KeptFailure {
  readonly cost = 1_024
  readonly reason: NoFixes

  constructor(reason: NoFixes) {
    this.reason = reason
  }
}

/** The command that makes the fixes of a site on the user's own machine. */
export const fixCommand = (url: string): string => `npx docgauge fix ${shellUrl(url)}`

/** Plans and files that raise the score of a finished run: made from its archive in a process of their own, by turns, and cached. */
export class RunFixes extends Context.Service<
  RunFixes,
  {
    /**
     * Concurrent calls for one run share one making, which continues if they are interrupted. A call that begins one counts for each of the
     * clients, and until it ends for their networks; it has the turn of the first one's.
     */
    readonly get: (
      run: Run,
      clients: readonly [Client, ...ReadonlyArray<Client>]
    ) => Effect.Effect<KeptFixes, FixesError>
  }
>()("docgauge/server/RunFixes") {
  /** Over the given audit processes, which are used for nothing else. */
  static readonly layerOver: Layer.Layer<
    RunFixes,
    never,
    ArchiveStore | AuditProcesses | Limits | ResponseCache | RubricInForce | RunStore
  > = Layer.effect(
    RunFixes,
    Effect.gen(function* () {
      const archives = yield* ArchiveStore
      const limits = yield* Limits
      const responses = yield* ResponseCache
      const runs = yield* RunStore
      const { reference } = yield* RubricInForce
      const fixed = yield* makeFixer(reference)
      const underWay = yield* makeSingleFlight<KeptFixes, NoFixes | StoreUnavailable>()
      const turns = makePlanTurns(slowFix(reference))

      const archiveOf =
        ({ id, url }: Run) =>
        (path: string): Effect.Effect<void, NoFixes | StoreUnavailable> =>
          Effect.scoped(
            Effect.flatMap(archives.read(id), (archive): Effect.Effect<void, NoFixes | StoreUnavailable> =>
              archive === null
                ? Effect.fail(noArchive(url))
                : Effect.andThen(
                    written(url, () => writeFile(path, "")),
                    Stream.runForEach(archive.content, (piece) => written(url, () => appendFile(path, piece)))
                  )
            )
          )

      /**
       * Caches what was made of a run, unless the run was deleted meanwhile. The store is read within the cache's lookup: if the cache is
       * invalidated after that, the value is not cached.
       */
      const cached = <A extends Cacheable>(
        run: Run,
        key: string,
        type: abstract new (...args: never) => A,
        value: A,
        timeToLive?: Duration.Input
      ): Effect.Effect<A, NoFixes | StoreUnavailable> =>
        Effect.flatMap(
          responses.get(
            key,
            type,
            Effect.map(runs.find(run.id), (found) => (found === null ? null : value)),
            timeToLive
          ),
          (kept) => (kept === null ? Effect.fail(DELETED) : Effect.succeed(kept))
        )

      const failed = (run: Run, failure: NotFixed): Effect.Effect<never, NoFixes | StoreUnavailable> => {
        const reason = withAdvice(run.url, failure)
        const timeToLive = FAILURE_TIMES_TO_LIVE[failure.origin]
        return timeToLive === null
          ? Effect.fail(reason)
          : Effect.andThen(
              cached(run, failureKeyOf(run), KeptFailure, new KeptFailure(reason), timeToLive),
              Effect.fail(reason)
            )
      }

      const make = (run: Run, isSlow: boolean): Effect.Effect<KeptFixes, NoFixes | StoreUnavailable> =>
        fixed({ reportScore: run.totalScore, isSlow }, archiveOf(run)).pipe(
          Effect.catchTag("NotFixed", (failure) => failed(run, failure)),
          Effect.flatMap((made) => cached(run, keyOf(run), KeptFixes, new KeptFixes(run.id, made)))
        )

      const allowed = (decision: LimitDecision): Effect.Effect<void, FixesLimited> =>
        decision._tag === "Refusal" ? Effect.fail(new FixesLimited({ refusal: decision })) : Effect.void

      /** Refuses to begin one more. */
      const admitted = Effect.fnUntraced(function* (
        plan: PlanRequest,
        clients: ReadonlyArray<Client>
      ): Effect.fn.Return<void, NoFixes | FixesLimited> {
        if (!turns.hasPlace(plan)) return yield* BUSY
        for (const { network } of clients) yield* allowed(yield* limits.clientPlans(network, underWay.sizeOf(network)))
        for (const client of clients) yield* allowed(yield* limits.fix(client))
      })

      return {
        get: Effect.fn("RunFixes.get")(function* (run, clients) {
          const plan = { network: clients[0].network, domain: run.domain }
          const kept = yield* responses.peek(keyOf(run), KeptFixes)
          if (kept !== null) return kept
          const failed = yield* responses.peek(failureKeyOf(run), KeptFailure)
          if (failed !== null) return yield* failed.reason
          if (!underWay.has(run.id)) {
            // Counts for no client, and is not kept: an archive is stored after its run is done.
            if (!(yield* archives.has(run.id))) return yield* noArchive(run.url)
            // Another call may have begun it meanwhile.
            if (!underWay.has(run.id)) yield* admitted(plan, clients)
          }
          const made = Effect.catchTag(
            turns.take(plan, (isSlow) => make(run, isSlow)),
            "PlansBusy",
            () => Effect.fail(BUSY)
          )
          return yield* underWay.run(
            run.id,
            made,
            clients.map(({ network }) => network)
          )
        })
      }
    })
  )

  static readonly layer: Layer.Layer<
    RunFixes,
    Config.ConfigError,
    ArchiveStore | Limits | ResponseCache | RubricInForce | RunStore
  > = RunFixes.layerOver.pipe(Layer.provide(layerAuditProcesses(1)))
}

const keyOf = ({ id }: Run): string => `fixes:${id}`
const failureKeyOf = ({ id }: Run): string => `fixes-failed:${id}`

const noArchive = (url: string): NoFixes =>
  new NoFixes({
    reason: "no_archive",
    message: "The archive of this audit is no longer kept, so the files can't be made here.",
    advice: adviceFor(url)
  })

/** Writes the archive to a temporary file. */
const written = (url: string, write: () => Promise<void>): Effect.Effect<void, NoFixes> =>
  Effect.mapError(
    Effect.tryPromise(write),
    ({ cause }) =>
      new NoFixes({
        reason: "internal",
        message: temporaryFilesError(cause, "The files could not be made").message,
        advice: adviceFor(url)
      })
  )

const BUSY = new NoFixes({
  reason: "busy",
  message: "Files of other sites are being made.",
  advice: `Try again in ${BUSY_SECONDS} seconds.`
})

const DELETED = new NoFixes({
  reason: "deleted",
  message: "There is no such run.",
  advice: "It was deleted while its files were made."
})

const withAdvice = (url: string, { message, reason }: NotFixed): NoFixes =>
  new NoFixes({ reason, message, advice: adviceFor(url) })

const adviceFor = (url: string): string =>
  `Run ${fixCommand(url)} on your own machine: it makes them from the site as it is now.`
