import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { appendFile, writeFile } from "node:fs/promises"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { makeFixer, type MadeFixes, type NotFixed } from "../../engine/schedule/Fixer.ts"
import { ArchiveStore } from "../../engine/store/archives/ArchiveStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { shellUrl } from "../../engine/text/ShellWord.ts"
import type { PlanSummary } from "../../engine/fix/plan/PlanSummary.ts"
import { layerAuditProcesses } from "../audits/AuditProcessLayer.ts"
import { RubricInForce } from "../config/RubricInForce.ts"
import { EncodedBody } from "../response/EncodedBody.ts"
import { ResponseCache } from "../response/ResponseCache.ts"
import { makeSingleFlight } from "../response/SingleFlight.ts"

/** Runs whose fixes are being made or wait for it; beyond that, a request is refused. */
const MOST_WAITING = 8

/** How long the reason is kept why there are no fixes of a run, so that nobody can keep a process busy with one hostile archive. */
const FAILURE_TIME_TO_LIVE = "10 minutes"

/** Seconds until it makes sense to ask again if others wait. */
export const BUSY_SECONDS = 20

/** The fixes of a run as they are cached. */
export class KeptFixes {
  readonly plan: PlanSummary
  readonly json: EncodedBody
  readonly zip: Uint8Array

  constructor({ json, plan, zip }: MadeFixes) {
    this.plan = plan
    this.json = new EncodedBody(Buffer.from(json).toString("utf8"))
    this.zip = zip
  }

  /** Bytes of memory; the plan is part of the JSON. */
  get cost(): number {
    return this.zip.byteLength + this.json.cost
  }
}

/** Why there are no fixes of a run. */
export class NoFixes extends Data.TaggedError("NoFixes")<{
  /** `no_archive`: it is no longer kept. `unusable`: no fixes can be made from it. `internal`: a fault of ours. `busy`: others wait. */
  readonly reason: "no_archive" | "unusable" | "internal" | "busy"
  /** What happened; it may quote the site. */
  readonly message: string
  /** What to do, in one sentence. */
  readonly advice: string
}> {}

/** A limit refused to make fixes. */
export class FixesLimited extends Data.TaggedError("FixesLimited")<{ readonly refusal: LimitRefusal }> {}

export type FixesError = NoFixes | FixesLimited | StoreUnavailable

/** A cached reason. */
class KeptFailure {
  readonly cost = 1_024
  readonly reason: NoFixes

  constructor(reason: NoFixes) {
    this.reason = reason
  }
}

/** The command that makes the fixes of a site on the user's own machine. */
export const fixCommand = (url: string): string => `npx docgauge fix ${shellUrl(url)}`

/** Plans and files that raise the score of a finished run: made from its archive in a process of their own, one at a time, and cached. */
export class RunFixes extends Context.Service<RunFixes, {
  /**
   * Concurrent calls for one run share one making, which continues if they are interrupted. A call that begins one counts for each of the
   * clients.
   */
  readonly get: (run: Run, clients: ReadonlyArray<Client>) => Effect.Effect<KeptFixes, FixesError>
}>()("docgauge/server/RunFixes") {
  static readonly layer: Layer.Layer<RunFixes, never, ArchiveStore | Limits | ResponseCache | RubricInForce> = Layer.effect(
    RunFixes,
    Effect.gen(function*() {
      const archives = yield* ArchiveStore
      const limits = yield* Limits
      const responses = yield* ResponseCache
      const { reference } = yield* RubricInForce
      const fixed = yield* makeFixer(reference)
      const underWay = yield* makeSingleFlight<KeptFixes, NoFixes | StoreUnavailable>()

      const archiveOf = ({ id, url }: Run) => (path: string): Effect.Effect<void, NoFixes | StoreUnavailable> =>
        Effect.scoped(Effect.flatMap(archives.read(id), (archive): Effect.Effect<void, NoFixes | StoreUnavailable> =>
          archive === null
            ? Effect.fail(new NoFixes({ reason: "no_archive", message: "The archive of this audit is no longer kept, so the files can't be made here.", advice: adviceFor(url) }))
            : Effect.andThen(Effect.promise(() => writeFile(path, "")), Stream.runForEach(archive.content, (piece) => Effect.promise(() => appendFile(path, piece))))))

      const make = (run: Run): Effect.Effect<KeptFixes, NoFixes | StoreUnavailable> =>
        fixed(run.totalScore, archiveOf(run)).pipe(
          Effect.catchTag("NotFixed", (reason) => Effect.fail(withAdvice(run.url, reason))),
          Effect.flatMap((made) => responses.get(keyOf(run), KeptFixes, Effect.sync(() => new KeptFixes(made)))),
          Effect.tapErrorTag("NoFixes", (reason) => responses.get(failureKeyOf(run), KeptFailure, Effect.sync(() => new KeptFailure(reason)), FAILURE_TIME_TO_LIVE))
        )

      /** Refuses to begin one more. */
      const admitted = Effect.fnUntraced(function*(clients: ReadonlyArray<Client>): Effect.fn.Return<void, NoFixes | FixesLimited> {
        if (underWay.size() >= MOST_WAITING) return yield* new NoFixes({ reason: "busy", message: "Files of other sites are being made.", advice: `Try again in ${BUSY_SECONDS} seconds.` })
        for (const client of clients) {
          const decision = yield* limits.fix(client)
          if (decision._tag === "Refusal") return yield* new FixesLimited({ refusal: decision })
        }
      })

      return {
        get: Effect.fn("RunFixes.get")(function*(run, clients) {
          const kept = yield* responses.peek(keyOf(run), KeptFixes)
          if (kept !== null) return kept
          const failed = yield* responses.peek(failureKeyOf(run), KeptFailure)
          if (failed !== null) return yield* failed.reason
          if (!underWay.has(run.id)) yield* admitted(clients)
          return yield* underWay.run(run.id, make(run))
        })
      }
    })
  ).pipe(Layer.provide(layerAuditProcesses(1)))
}

const keyOf = ({ id }: Run): string => `fixes:${id}`
const failureKeyOf = ({ id }: Run): string => `fixes-failed:${id}`

const withAdvice = (url: string, { message, reason }: NotFixed): NoFixes => new NoFixes({ reason, message, advice: adviceFor(url) })

const adviceFor = (url: string): string => `Run ${fixCommand(url)} on your own machine: it makes them from the site as it is now.`
