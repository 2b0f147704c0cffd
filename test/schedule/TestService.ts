import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import type { LimitSettings } from "../../engine/limit/LimitSettings.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import * as LimitStore from "../../engine/limit/LimitStore.ts"
import type { Submission } from "../../engine/schedule/Admission.ts"
import { AuditFailed } from "../../engine/audit/AuditRequest.ts"
import { type Audited, Auditor, NotAudited } from "../../engine/schedule/Auditor.ts"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Scheduler, type SchedulerOptions } from "../../engine/schedule/Scheduler.ts"
import { type ArchivedAttempt, ArchiveStore, type Proof } from "../../engine/store/archives/ArchiveStore.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import * as MemoryRunStore from "../../engine/store/runs/MemoryRunStore.ts"
import type { NewRun, Run } from "../../engine/store/runs/Run.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { dialects } from "../store/Databases.ts"
import { auditFailureOf } from "../../engine/process/AuditResult.ts"
import { jsonLine } from "../../server/observe/Telemetry.ts"

export const LIMITLESS: LimitSettings = {
  submit: null,
  targetWindowMs: 600_000,
  siteQuota: null,
  verifiedQuota: null,
  poll: null,
  browse: null,
  fix: null,
  hostBudget: null,
  clientRuns: null,
  networkRuns: null,
  queueLimit: null
}

/** An audit of a host that ends well at once. */
export const wanted = (host: string, path = ""): NewRun => ({
  url: `https://${host}${path}`,
  site: `${host}${path}`,
  domain: host.split(".").slice(-2).join("."),
  rubricDigest: "sha256:rubric"
})

export const audited = ({ url }: Run, requests = 80): Audited => ({
  result: {
    encoded: `{"base_url":"${url}"}\n`,
    totalScore: 70,
    reliable: true,
    outcomes: [],
    generator: null,
    facts: [],
    exchanges: [],
    durationMs: 1_000,
    requests,
    bytes: 5_000
  },
  archive: Effect.succeed(new TextEncoder().encode(url))
})

/** An audit that comes to no report. */
export const notAudited = (reason: AuditFailed["reason"], message: string) =>
  Effect.fail(
    new NotAudited({
      ...auditFailureOf(new AuditFailed({ reason, message, advice: "Check it.", journal: [] })),
      durationMs: 300,
      bytes: 1_000,
      archive: Effect.succeed(new TextEncoder().encode("what was tried"))
    })
  )

/** An auditor that notes what it is asked for, and holds every audit up until its gate is opened. */
export const makeGatedAuditor = () => {
  const gate = Latch.makeUnsafe(false)
  const begun: Array<Run> = []
  const underWay = new Set<Run>()
  let most = 0
  let mostOfDomain = 0
  const audit: Auditor["Service"]["audit"] = (run) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        begun.push(run)
        underWay.add(run)
        most = Math.max(most, underWay.size)
        mostOfDomain = Math.max(mostOfDomain, [...underWay].filter(({ domain }) => domain === run.domain).length)
      }),
      () => Effect.as(gate.await, audited(run)),
      () =>
        Effect.sync(() => {
          underWay.delete(run)
        })
    )
  return { audit, begun, gate, most: () => most, mostOfDomain: () => mostOfDomain }
}

export interface ServiceOptions {
  readonly audit: Auditor["Service"]["audit"]
  readonly settings?: Partial<LimitSettings>
  readonly schedule?: Partial<SchedulerOptions>
  readonly archive?: (run: ArchivedAttempt, bytes: Uint8Array, proof: Proof) => void
  /** Told of each run whose archive is deleted. */
  readonly unarchive?: (id: string) => void
  /** Gets each line that the process logs. */
  readonly log?: (line: string) => void
}

const scheduling = ({
  archive = () => {},
  audit,
  log = () => {},
  schedule,
  settings,
  unarchive = () => {}
}: ServiceOptions) =>
  Scheduler.layerOf({
    concurrency: 4,
    heartbeatMs: 200,
    recoverMs: 500,
    graceMs: 100,
    pauseMs: 500,
    settledMs: 200,
    ...schedule
  }).pipe(
    Layer.provideMerge(Limits.layerOf({ ...LIMITLESS, ...settings })),
    Layer.provide(Logger.layer([Logger.map(jsonLine, log)])),
    Layer.provide(Layer.succeed(Auditor, { audit })),
    Layer.provide(
      Layer.succeed(ArchiveStore, {
        put: (run, content, proof) =>
          Effect.sync(() => archive(run, content instanceof Uint8Array ? content : readFileSync(content.path), proof)),
        read: () => Effect.succeed(null),
        has: () => Effect.succeed(false),
        remove: (id) => Effect.sync(() => unarchive(id))
      })
    )
  )

/** A process without a database. */
export const inMemory = (options: ServiceOptions) =>
  scheduling(options).pipe(
    Layer.provideMerge(AuditQueue.layerMemory),
    Layer.provideMerge(
      Layer.mergeAll(MemoryRunStore.layerMemory, LimitStore.layerMemory, Transactions.layerMemory, SiteBlocks.layerNone)
    ),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

/** A process over a database. */
export const onDatabase = (address: Database, options: ServiceOptions) =>
  scheduling(options).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SqlRunStore.layerSql,
        LimitStore.layerSql,
        Transactions.layerSql,
        SiteBlocks.layerSql,
        AuditQueue.layerSql
      )
    ),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(address)),
    Layer.orDie
  )

type Services = AuditQueue | Limits | RunStore | Scheduler

/** Runs a test with each kind of store: in memory, and on every database that is available. */
export const everyStore: ReadonlyArray<{
  readonly name: string
  readonly run: <A, E>(
    options: ServiceOptions,
    test: Effect.Effect<A, E, Services | Scope.Scope>
  ) => Effect.Effect<A, unknown>
}> = [
  { name: "memory", run: (options, test) => Effect.scoped(Effect.provide(test, inMemory(options))) },
  ...dialects
    .filter(({ available }) => available)
    .map(({ fresh, name }) => ({
      name,
      run: <A, E>(
        options: ServiceOptions,
        test: Effect.Effect<A, E, Services | Scope.Scope>
      ): Effect.Effect<A, unknown> =>
        Effect.scoped(Effect.flatMap(fresh, (address) => Effect.provide(test, onDatabase(address, options))))
    }))
]

/** A process of its own, which ends when it is told to, or with the test. */
export const start = Effect.fnUntraced(function* <A>(layer: Layer.Layer<A>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const context = yield* Layer.buildWithScope(layer, scope)
  return {
    here: <B, E>(effect: Effect.Effect<B, E, A>) => Effect.provide(effect, context),
    stop: Scope.close(scope, Effect.runSync(Effect.exit(Effect.void)))
  }
})

export const idOf = (submission: Submission): string => (submission._tag === "Refusal" ? "refused" : submission.run.id)

export const submit = (host: string, path?: string, network: string | null = null) =>
  Scheduler.use((scheduler) => scheduler.submit(wanted(host, path), network === null ? [] : [network]))

export const awaitDone = (id: string) => Scheduler.use((scheduler) => scheduler.awaitDone(id))

export const find = (id: string) => RunStore.use((store) => store.find(id))

/** Waits until it holds; what never does fails the test. */
export const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.orDie(holds).pipe(
    Effect.flatMap((so) => (so ? Effect.void : Effect.fail("not yet"))),
    Effect.retry(Schedule.spaced("10 millis")),
    Effect.timeout("100 seconds")
  )
