import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { plainForm } from "../../engine/evidence/Address.ts"
import { parseTarget, type TargetRules } from "../../engine/audit/Target.ts"
import { Audits, type AuditProgress, type AuditRun, type Refused } from "./Audits.ts"
import type { LocalAuditor } from "./LocalAuditor.ts"
import { notFound, refusedTarget } from "./Refusals.ts"

export interface LocalAuditsOptions extends TargetRules {
  /** Made when the first audit is asked for: it takes longer to load than a client likes to wait for `initialize`. */
  readonly auditor: Effect.Effect<LocalAuditor>
}

/** Runs that are remembered; the oldest that are over go first. */
const REMEMBERED = 32

/** Audits at once in `docgauge mcp`; more wait for their turn. */
export const LOCAL_AUDITS_AT_ONCE = 2

/** How often those who watch are told. */
const TELL_INTERVAL = "500 millis"

interface Entry {
  run: AuditRun
  readonly over: Deferred.Deferred<void>
  /** How many asked for the audit and still want it. */
  wanted: number
  fiber: Fiber.Fiber<void> | null
}

/** Audits in this process: no account, no limits, nothing kept when it ends. Whoever asks for an audit that is under way joins it. */
export const localAudits = (options: LocalAuditsOptions): Layer.Layer<Audits> =>
  Layer.effect(Audits, Effect.gen(function*() {
    const random = yield* SecureRandom.SecureRandom
    const scope = yield* Effect.scope
    const turns = Semaphore.makeUnsafe(LOCAL_AUDITS_AT_ONCE)
    const entries = new Map<string, Entry>()

    const entryOf = (runId: string): Effect.Effect<Entry, Refused> => {
      const entry = entries.get(runId.toLowerCase())
      return entry === undefined ? Effect.fail(notFound(runId)) : Effect.succeed(entry)
    }

    const carryOut = Effect.fnUntraced(function*(entry: Entry, url: string) {
      const { runId } = entry.run
      const auditor = yield* options.auditor
      entry.run = { status: "running", runId, url, progress: STARTING }
      const tell = (progress: AuditProgress): void => { entry.run = { status: "running", runId, url, progress } }
      entry.run = yield* auditor(url, tell).pipe(
        Effect.map((report): AuditRun => ({ status: "done", runId, url, report })),
        Effect.catch(({ code, message }) => Effect.succeed<AuditRun>({ status: "error", runId, url, code, message }))
      )
    })

    const launch = Effect.fnUntraced(function*(url: string): Effect.fn.Return<Entry> {
      const runId = yield* random.uuidV7()
      const entry: Entry = {
        run: { status: "pending", runId, url, progress: WAITING },
        over: yield* Deferred.make<void>(),
        wanted: 0,
        fiber: null
      }
      entries.set(runId, entry)
      forgetOldest(entries)
      const work = turns.withPermit(carryOut(entry, url)).pipe(
        Effect.onExit((exit) => {
          if (exit._tag === "Failure") entry.run = { status: "error", runId, url, ...BROKEN_OFF }
          return Deferred.succeed(entry.over, undefined)
        })
      )
      entry.fiber = yield* Effect.forkIn(work, scope)
      return entry
    })

    const start = Effect.fnUntraced(function*(baseUrl: string): Effect.fn.Return<AuditRun, Refused> {
      const target = parseTarget(baseUrl, options)
      if (Result.isFailure(target)) return yield* refusedTarget(baseUrl, target.failure)
      const joined = [...entries.values()].find(({ run }) => plainForm(run.url) === plainForm(target.success) && isUnderWay(run))
      const entry = joined ?? (yield* launch(target.success))
      entry.wanted += 1
      return entry.run
    })

    const watch = Effect.fnUntraced(function*(
      runId: string,
      tell: (progress: AuditProgress) => Effect.Effect<void>
    ): Effect.fn.Return<AuditRun, Refused> {
      const entry = yield* entryOf(runId)
      const telling = Effect.suspend(() => isUnderWay(entry.run) ? tell(entry.run.progress) : Effect.void).pipe(
        Effect.andThen(Effect.sleep(TELL_INTERVAL)),
        Effect.forever
      )
      yield* Effect.raceFirst(Deferred.await(entry.over), telling)
      return entry.run
    })

    const abandon = Effect.fnUntraced(function*(runId: string) {
      const entry = entries.get(runId)
      if (entry === undefined || !isUnderWay(entry.run)) return
      entry.wanted -= 1
      if (entry.wanted <= 0 && entry.fiber !== null) yield* Fiber.interrupt(entry.fiber)
    })

    return { limits: LIMITS, start, watch, abandon, find: (runId) => Effect.map(entryOf(runId), ({ run }) => run) }
  })).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const LIMITS = "The audit runs on this machine; reports are kept until the server ends."

type UnderWay = Extract<AuditRun, { readonly status: "pending" | "running" }>

const isUnderWay = (run: AuditRun): run is UnderWay => run.status === "pending" || run.status === "running"

const WAITING: AuditProgress = { done: 0, total: 100, message: "waiting for its turn" }
const STARTING: AuditProgress = { done: 0, total: 100, message: "looking at the site" }
const BROKEN_OFF = { code: "cancelled", message: "The audit was broken off." } as const

const forgetOldest = (entries: Map<string, Entry>): void => {
  const over = [...entries].filter(([, { run }]) => !isUnderWay(run))
  for (const [runId] of over.slice(0, Math.max(0, over.length - REMEMBERED))) entries.delete(runId)
}
