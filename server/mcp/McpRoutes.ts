import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Clock from "effect/Clock"
import { oauthRoutes } from "../oauth/OAuthRoutes.ts"
import { RubricInForce } from "../config/RubricInForce.ts"
import { mcpEndpoint } from "./transport/HttpEndpoint.ts"
import { McpLimits } from "./transport/McpLimits.ts"
import { RubricBook } from "./features/Resources.ts"
import { serviceAudits } from "./audits/ServiceAudits.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { agentAddress, reach } from "../config/Settings.ts"
import { AccessTokens } from "../oauth/AccessTokens.ts"
import { ClientDocuments, OAuthClients } from "../oauth/OAuthClients.ts"
import { OAuthKeys, Seals } from "../oauth/OAuthKeys.ts"
import { OAuthSettings } from "../oauth/OAuthSettings.ts"
import { GRANT_BOUNDS, OAuthStore } from "../oauth/OAuthStore.ts"

const SWEEP_INTERVAL = "10 minutes"

const sweeping = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* OAuthStore
    const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) => store.sweep(now, GRANT_BOUNDS))
    yield* Effect.ignoreCause(sweep, { log: "Warn", message: "expired grants could not be deleted" }).pipe(
      Effect.delay(SWEEP_INTERVAL),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

const documents = Layer.unwrap(
  Effect.gen(function* () {
    return ClientDocuments.layer({ ...(yield* reach), userAgents: userAgents(ENGINE_VERSION, yield* agentAddress) })
  })
)

/**
 * The authorization server's parts, over a store.
 *
 * Our own code instead of `oidc-provider`, because it is small: `jose` does all cryptography. `oidc-provider` is a Koa
 * application for accounts with a login, with cookies, sessions and consent; it stores a row for every registration, code and
 * session, where this stores none; and it fetches client documents without our guarded HTTP client.
 */
const oauthServices = Layer.mergeAll(OAuthClients.layer, AccessTokens.layer, sweeping).pipe(
  Layer.provide(documents),
  Layer.provideMerge(Seals.layer),
  Layer.provideMerge(OAuthKeys.layer),
  Layer.provideMerge(OAuthSettings.layer)
)

const rubricBook = Layer.effect(
  RubricBook,
  Effect.map(RubricInForce, ({ rubric }) => ({ rubric: Effect.succeed(rubric) }))
)

/** The MCP server, its authorization server, and the metadata of both. */
export const mcpRoutes = Layer.mergeAll(mcpEndpoint, oauthRoutes).pipe(
  Layer.provide(oauthServices),
  Layer.provide(McpLimits.layer),
  Layer.provide(serviceAudits),
  Layer.provide(rubricBook)
)
