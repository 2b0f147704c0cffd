import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Network } from "../../engine/evidence/http/Network.ts"
import { Auditor } from "../../engine/schedule/Auditor.ts"
import type { ArchiveStore } from "../../engine/store/archives/ArchiveStore.ts"
import { ArchivePace } from "../../engine/store/archives/SqlArchiveStore.ts"
import { FreeSpace, type FreeSpaceReading } from "../../engine/store/archives/ArchiveSpace.ts"
import type { Corpus } from "../../engine/store/corpus/Corpus.ts"
import type { ScheduleStore } from "../../engine/store/operators/ScheduleStore.ts"
import type { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import type { Moderation } from "../../engine/store/operators/Moderation.ts"
import type { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import type { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { DeliveryStore } from "../../engine/store/webhooks/DeliveryStore.ts"
import type { WebhookStore } from "../../engine/store/webhooks/WebhookStore.ts"
import { RetentionInterval } from "../../server/background/Retention.ts"
import { ScheduleInterval } from "../../server/background/ScheduledAudits.ts"
import { SnapshotInterval } from "../../server/background/CorpusUpkeep.ts"
import { WebhookInterval } from "../../server/background/WebhookDeliveries.ts"
import { AuditCeiling } from "../../server/http/handlers/AuditHandlers.ts"
import { layerTracing } from "../../server/observe/Telemetry.ts"
import { serviceOver } from "../../server/Service.ts"
import { expectByContract } from "./api/ContractCheck.ts"
import { type ScriptedAuditor, scriptedAuditor } from "./ScriptedAuditor.ts"

export interface TestService {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly port: number
  /** Sends a request and holds the answer against the contract document. Redirects are not followed. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** POST /audit with a JSON body. */
  readonly submit: (body: unknown, query?: string, headers?: Record<string, string>) => Promise<Response>
  readonly auditor: ScriptedAuditor
  /** What was logged, a line each. */
  readonly logs: ReadonlyArray<string>
  readonly stores: <A, E>(
    effect: Effect.Effect<
      A,
      E,
      | RunStore
      | RunHistory
      | Corpus
      | DashboardStore
      | ScheduleStore
      | Moderation
      | ArchiveStore
      | WebhookStore
      | DeliveryStore
    >
  ) => Promise<A>
  readonly stop: () => Promise<void>
}

export interface TestServiceOptions {
  /** How long synchronous requests wait; as long as real ones unless given. */
  readonly ceiling?: Duration.Input
  /** How often the service looks for what it does by itself: scheduled audits, runs that are no longer kept, and the weekly snapshot; as real ones unless given. */
  readonly pace?: Duration.Input
  /** Over what is usual in tests: limits off, every name led to a loopback address that is never dialled. */
  readonly env?: Readonly<Record<string, string>>
  /** Addresses of names, instead of the rule that leads all of them to loopback. */
  readonly lookup?: (name: string) => Promise<ReadonlyArray<string>>
  /** Whether connections are really made, to loopback addresses only; nothing is dialled unless given. */
  readonly dials?: true
  /** Free space where archives are kept, in bytes; what there really is unless given. */
  readonly freeSpace?: FreeSpaceReading
}

const LIMITLESS = {
  DOCGAUGE_SUBMIT_RATE: "off",
  DOCGAUGE_POLL_RATE: "off",
  DOCGAUGE_BROWSE_RATE: "off",
  DOCGAUGE_SITE_QUOTA: "off",
  DOCGAUGE_HOST_BUDGET: "off",
  DOCGAUGE_CLIENT_RUNS: "off",
  DOCGAUGE_TARGET_WINDOW: "10m"
}

/** A whole service on a port of its own, with a database of its own and a scripted auditor. */
export const startService = async ({
  ceiling = "120 seconds",
  dials,
  env = {},
  freeSpace,
  lookup,
  pace = "10 minutes"
}: TestServiceOptions = {}): Promise<TestService> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-server-"))
  const auditor = scriptedAuditor()
  const logs: Array<string> = []
  const variables = {
    PORT: "0",
    HOST: "127.0.0.1",
    DOCGAUGE_AUDIT_NICENESS: "0",
    DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
    DOCGAUGE_ARCHIVES: join(folder, "archives"),
    ...(lookup === undefined ? { DOCGAUGE_RESOLVE: "*:443:127.0.0.1:9" } : {}),
    ...LIMITLESS,
    ...env
  }
  const noNetwork = Layer.succeed(Network, {
    lookup: lookup ?? ((name) => Promise.reject(new Error(`${name} was looked up`))),
    dial: (addresses, port) => {
      if (dials === undefined || !addresses.every((address) => address.startsWith("127.")))
        throw new Error("something was dialled")
      return connect({ host: addresses[0] ?? "", port })
    },
    ownAddresses: () => new Set()
  })
  const runtime = ManagedRuntime.make(
    serviceOver(Layer.succeed(Auditor, { audit: auditor.audit })).pipe(
      Layer.provide(NodeServices.layer),
      Layer.provide(noNetwork),
      Layer.provide(layerTracing),
      Layer.provide(freeSpace === undefined ? Layer.empty : Layer.succeed(FreeSpace, freeSpace)),
      Layer.provide([
        Layer.succeed(AuditCeiling, ceiling),
        Layer.succeed(ScheduleInterval, pace),
        Layer.succeed(RetentionInterval, pace),
        Layer.succeed(SnapshotInterval, pace),
        Layer.succeed(WebhookInterval, pace),
        Layer.succeed(ArchivePace, { retry: "1 second", rule: "5 minutes", last: "2 seconds" })
      ]),
      Layer.provide(
        Logger.layer([
          Logger.map(Logger.formatLogFmt, (line) => {
            logs.push(line)
          })
        ])
      ),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables)))
    )
  )
  const address = await runtime.runPromise(HttpServer.HttpServer.use((server) => Effect.succeed(server.address)))
  if (!("port" in address)) throw new Error("the service listens on no port")
  const url = `http://127.0.0.1:${address.port}`
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url + path, { redirect: "manual", ...init })
    await expectByContract(init.method ?? "GET", path, response.clone())
    return response
  }
  return {
    url,
    port: address.port,
    ask,
    submit: (body, query = "", headers = {}) =>
      ask(`/audit${query}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      }),
    auditor,
    logs,
    stores: (effect) => runtime.runPromise(effect),
    stop: async () => {
      auditor.release()
      await runtime.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
