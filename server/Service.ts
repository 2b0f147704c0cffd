import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { USUAL_SAMPLE } from "../engine/evidence/AuditBudget.ts"
import { FetchLimits, limitsWith } from "../engine/evidence/FetchLimits.ts"
import { userAgents } from "../engine/evidence/UserAgents.ts"
import { Limits } from "../engine/limit/Limits.ts"
import { Auditor } from "../engine/schedule/Auditor.ts"
import { WorkerRubric } from "../engine/schedule/AuditQueue.ts"
import { concurrentAudits, Scheduler } from "../engine/schedule/Scheduler.ts"
import { adminRoutes } from "./admin/AdminRoutes.ts"
import { CacheInvalidation } from "./admin/AdminChanges.ts"
import { corpusFolding, weeklySnapshots } from "./background/CorpusUpkeep.ts"
import { retention } from "./background/Retention.ts"
import { RunDeletion } from "./admin/RunDeletion.ts"
import { scheduledAudits } from "./background/ScheduledAudits.ts"
import { webhookDeliveries } from "./background/WebhookDeliveries.ts"
import { WebhookPosts } from "./webhooks/WebhookPosts.ts"
import { api } from "./api/Api.ts"
import { layerAuditProcesses } from "./audits/AuditProcessLayer.ts"
import { auditHandlers } from "./http/handlers/AuditHandlers.ts"
import { layerInputCheck } from "./http/errors/Refusals.ts"
import { browseHandlers, dashboardHandlers } from "./http/handlers/BrowseHandlers.ts"
import { Clients } from "./http/request/Clients.ts"
import { contractHandlers } from "./http/handlers/ContractHandlers.ts"
import { Dashboards } from "./dashboards/Dashboards.ts"
import { httpMiddleware } from "./http/HttpMiddleware.ts"
import { FinishedRuns } from "./audits/FinishedRuns.ts"
import { withOnlyServices } from "./http/handlers/IsolatedGroup.ts"
import { legacyRoute, runHandlers } from "./http/handlers/RunHandlers.ts"
import { layerNodeServer } from "./http/NodeServer.ts"
import { LookupTurns } from "./audits/LookupTurns.ts"
import { operatorRoutes } from "./http/handlers/OperatorRoutes.ts"
import { layerRouter } from "./http/RouteTable.ts"
import { ReportSigner } from "./audits/ReportSigner.ts"
import { webhookHandlers } from "./http/handlers/WebhookHandlers.ts"
import { RunReading } from "./audits/RunReading.ts"
import { SiteOwners } from "./audits/SiteOwners.ts"
import { SiteVerification } from "./audits/SiteVerification.ts"
import { Submissions } from "./audits/Submissions.ts"
import { Targets } from "./audits/Targets.ts"
import { Widgets } from "./dashboards/Widgets.ts"
import { mcpRoutes } from "./mcp/McpRoutes.ts"
import { RunFixes } from "./fixes/RunFixes.ts"
import { Exposition, ownMetrics } from "./observe/Metrics.ts"
import { meteredLimits, meteredStore } from "./observe/Metered.ts"
import { ResponseCache } from "./response/ResponseCache.ts"
import { layerPageRenderer, pageRoutes } from "./pages/PageRoutes.ts"
import { ReleasedRubrics, RubricInForce } from "./config/RubricInForce.ts"
import { agentAddress, gatherSeconds, reach, webhooksOn } from "./config/Settings.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { layerStorage } from "./Storage.ts"
import { setting } from "../engine/config/Setting.ts"
import { configuredDatabase } from "../engine/store/Database.ts"

/*
 * The service, put together: storage, limits and the scheduler below, the contract's handlers above them, and the middleware
 * around all. Every stateful layer has a name and is made once.
 */

/**
 * What a process does. `web` serves HTTP, MCP and pages and runs no audits; `worker` runs audits and serves `/healthz` and `/metrics`
 * only; `all` does both.
 */
type ProcessRole = "all" | "web" | "worker"

const givenRole: Config.Config<ProcessRole> = setting("DOCGAUGE_ROLE", "all", (text) =>
  text === "all" || text === "web" || text === "worker" ? Result.succeed(text) : Result.fail("give all, web or worker")
)

/** `DOCGAUGE_ROLE`. Only processes on PostgreSQL can share the work: an SQLite file or memory is for one process. */
export const processRole: Config.Config<ProcessRole> = Config.flatMap(
  Config.all({ givenRole, database: configuredDatabase }),
  ({ database, givenRole }) =>
    givenRole !== "all" && database._tag !== "Postgres"
      ? Config.fail(
          new SourceError({
            message:
              "DOCGAUGE_ROLE: web and worker need a PostgreSQL database that they share, as DOCGAUGE_DATABASE_URL"
          })
        )
      : Config.succeed(givenRole)
)

/** The engine, auditing over the network in processes of its own. */
export const engineAuditor = Layer.unwrap(
  Effect.gen(function* () {
    const { reference } = yield* RubricInForce
    const agents = userAgents(ENGINE_VERSION, yield* agentAddress)
    const limits = limitsWith({ gatherMs: (yield* gatherSeconds) * 1_000 })
    return Auditor.layer({ ...(yield* reach), userAgents: agents, rubric: reference, sampleSize: USUAL_SAMPLE }).pipe(
      Layer.provide(layerAuditProcesses(yield* concurrentAudits)),
      Layer.provide(Layer.succeed(FetchLimits, limits))
    )
  })
)

const stores = meteredStore.pipe(Layer.provideMerge(layerStorage))

const limits = meteredLimits.pipe(Layer.provide(Limits.layer))

const publicRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(api).pipe(
    Layer.provide([auditHandlers, runHandlers, browseHandlers, dashboardHandlers, webhookHandlers, contractHandlers]),
    Layer.provide(layerInputCheck)
  ),
  legacyRoute,
  mcpRoutes,
  pageRoutes,
  adminRoutes
)

/** A worker serves operators only. */
const routes = Layer.unwrap(
  Effect.map(processRole, (role) => (role === "worker" ? operatorRoutes : Layer.merge(operatorRoutes, publicRoutes)))
)

const scheduler = Layer.unwrap(Effect.map(processRole, (role) => Scheduler.layer(role !== "web")))

/** A process that serves HTTP alone sends nothing to webhooks. */
const webhooks = Layer.unwrap(
  Effect.gen(function* () {
    return (yield* processRole) === "web" || !(yield* webhooksOn)
      ? Layer.empty
      : webhookDeliveries.pipe(Layer.provide([WebhookPosts.layer, ReleasedRubrics.layerOf()]))
  })
)

/** Background work, which every process shares in, whatever its role, but for webhooks. */
const background = Layer.mergeAll(
  scheduledAudits,
  corpusFolding,
  weeklySnapshots,
  webhooks,
  retention.pipe(Layer.provide(RunDeletion.layer))
)

const services = Layer.mergeAll(RunReading.layer, Dashboards.layer, Exposition.layer, CacheInvalidation.layer).pipe(
  Layer.provide(Widgets.layer),
  Layer.provideMerge(Layer.merge(Submissions.layer, Webhooks.layer)),
  Layer.provideMerge([SiteVerification.layer, SiteOwners.layer]),
  Layer.provideMerge(Layer.mergeAll(FinishedRuns.layer, RunFixes.layer, Targets.layer, Clients.layer)),
  Layer.provideMerge(Layer.mergeAll(LookupTurns.layer, ReportSigner.layer, ResponseCache.layer))
)

/** Serves the routes of the router, once all of them are there: among what is around the service, such as logs and traces. */
const serving = (around: Context.Context<never>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const middleware = yield* httpMiddleware
      const server = yield* HttpServer.HttpServer
      yield* withOnlyServices(
        server.serve(middleware(router.asHttpEffect())),
        Context.add(around, Scope.Scope, yield* Effect.scope)
      )
    })
  )

/** The whole service over an auditor. It listens once everything else has started, and stops listening first. */
export const serviceOver = <E, R>(auditor: Layer.Layer<Auditor, E, R>) =>
  Layer.unwrap(
    Effect.contextWith((around: Context.Context<never>) =>
      Effect.succeed(
        serving(around).pipe(
          Layer.provideMerge(layerNodeServer),
          Layer.provide([routes, background]),
          Layer.provide(layerRouter),
          Layer.provide(services),
          Layer.provide(layerPageRenderer),
          Layer.provide(
            scheduler.pipe(
              Layer.provide(
                Layer.effect(
                  WorkerRubric,
                  Effect.map(RubricInForce, ({ digest }) => digest)
                )
              )
            )
          ),
          Layer.provide(auditor),
          Layer.provideMerge(limits),
          Layer.provideMerge(stores),
          Layer.provide(RubricInForce.layer),
          Layer.provide(NodeHttpServer.layerHttpServices)
        )
      )
    )
  ).pipe(Layer.provide(ownMetrics))
