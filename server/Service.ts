import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { FetchLimits, limitsWith } from "../engine/evidence/FetchLimits.ts"
import { userAgents } from "../engine/evidence/UserAgents.ts"
import { Limits } from "../engine/limit/Limits.ts"
import { Auditor } from "../engine/schedule/Auditor.ts"
import { concurrentAudits, Scheduler } from "../engine/schedule/Scheduler.ts"
import { adminRoutes } from "./admin/AdminRoutes.ts"
import { Forgetting } from "./admin/Forgetting.ts"
import { retention } from "./admin/Retention.ts"
import { RunDisposal } from "./admin/RunDisposal.ts"
import { scheduledAudits } from "./admin/ScheduledAudits.ts"
import { api } from "./api/Api.ts"
import { layerAuditProcesses } from "./AuditProcessLayer.ts"
import { auditHandlers } from "./http/AuditHandlers.ts"
import { layerInputCheck } from "./http/BadInput.ts"
import { browseHandlers } from "./http/BrowseHandlers.ts"
import { Clients } from "./http/Clients.ts"
import { contractHandlers } from "./http/ContractHandlers.ts"
import { dashboardHandlers } from "./http/DashboardHandlers.ts"
import { Dashboards } from "./http/Dashboards.ts"
import { makeEdge } from "./http/Edge.ts"
import { FinishedRuns } from "./http/FinishedRuns.ts"
import { isolated } from "./http/Isolated.ts"
import { legacyRoute } from "./http/LegacyRoute.ts"
import { layerNodeServer } from "./http/NodeServer.ts"
import { LookupTurns } from "./http/LookupTurns.ts"
import { operatorRoutes } from "./http/OperatorRoutes.ts"
import { layerRouter } from "./http/RouteTable.ts"
import { runHandlers } from "./http/RunHandlers.ts"
import { RunReading } from "./http/RunReading.ts"
import { Submissions } from "./http/Submissions.ts"
import { Targets } from "./http/Targets.ts"
import { Widgets } from "./http/Widgets.ts"
import { mcpRoutes } from "./mcp/McpRoutes.ts"
import { Exposition } from "./observe/Exposition.ts"
import { meteredLimits } from "./observe/MeteredLimits.ts"
import { meteredStore } from "./observe/MeteredStore.ts"
import { KeptPages } from "./pages/kit/KeptPages.ts"
import { pageRoutes } from "./pages/PageRoutes.ts"
import { RubricInForce } from "./RubricInForce.ts"
import { agentAddress, gatherSeconds, reach } from "./Settings.ts"
import { layerStorage } from "./Storage.ts"

/*
 * The service, put together: storage, limits and the scheduler below, the contract's handlers above them, and the edge
 * around all. Every stateful layer has a name and is made once.
 */

const SAMPLE_SIZE = 20

/** The engine, auditing over the network in processes of its own. */
export const engineAuditor = Layer.unwrap(Effect.gen(function*() {
  const { reference } = yield* RubricInForce
  const agents = userAgents(ENGINE_VERSION, yield* agentAddress)
  const limits = limitsWith({ gatherMs: (yield* gatherSeconds) * 1_000 })
  return Auditor.layer({ ...(yield* reach), userAgents: agents, rubric: reference, sampleSize: SAMPLE_SIZE }).pipe(
    Layer.provide(layerAuditProcesses(yield* concurrentAudits)),
    Layer.provide(Layer.succeed(FetchLimits, limits))
  )
}))

const stores = meteredStore.pipe(Layer.provideMerge(layerStorage))

const limits = meteredLimits.pipe(Layer.provide(Limits.layer))

const routes = Layer.mergeAll(
  HttpApiBuilder.layer(api).pipe(
    Layer.provide([auditHandlers, runHandlers, browseHandlers, dashboardHandlers, contractHandlers]),
    Layer.provide(layerInputCheck)
  ),
  operatorRoutes,
  legacyRoute,
  mcpRoutes,
  pageRoutes,
  adminRoutes
)

/** What happens by itself. */
const background = Layer.mergeAll(scheduledAudits, retention.pipe(Layer.provide(RunDisposal.layer)))

const services = Layer.mergeAll(RunReading.layer, Dashboards.layer, Exposition.layer, Forgetting.layer).pipe(
  Layer.provide([Widgets.layer, KeptPages.layer]),
  Layer.provideMerge(Submissions.layer),
  Layer.provideMerge(Layer.mergeAll(FinishedRuns.layer, Targets.layer, Clients.layer)),
  Layer.provideMerge(LookupTurns.layer)
)

/** Serves the routes of the router, once all of them are there: among what is around the service, such as logs and traces. */
const serving = (around: Context.Context<never>) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const edge = yield* makeEdge
    const server = yield* HttpServer.HttpServer
    yield* isolated(server.serve(edge(router.asHttpEffect())), Context.add(around, Scope.Scope, yield* Effect.scope))
  }))

/** The whole service over an auditor; what it needs is files. It listens once everything else is there, and stops listening first. */
export const serviceOver = <E, R>(auditor: Layer.Layer<Auditor, E, R>) =>
  Layer.unwrap(Effect.contextWith((around: Context.Context<never>) => Effect.succeed(serving(around).pipe(
    Layer.provideMerge(layerNodeServer),
    Layer.provide([routes, background]),
    Layer.provide(layerRouter),
    Layer.provide(services),
    Layer.provide(Scheduler.layer),
    Layer.provide(auditor),
    Layer.provideMerge(limits),
    Layer.provideMerge(stores),
    Layer.provide(RubricInForce.layer),
    Layer.provide(NodeHttpServer.layerHttpServices)
  ))))
