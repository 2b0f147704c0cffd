import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { oauthServices } from "../oauth/OAuth.ts"
import { oauthRoutes } from "../oauth/OAuthRoutes.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { mcpEndpoint } from "./HttpEndpoint.ts"
import { McpLimits } from "./McpLimits.ts"
import { RubricBook } from "./RubricBook.ts"
import { serverCardRoutes } from "./ServerCard.ts"
import { serviceAudits } from "./ServiceAudits.ts"

const rubricBook = Layer.effect(RubricBook, Effect.map(RubricInForce, ({ rubric }) => ({ rubric: Effect.succeed(rubric) })))

/** All that agents need of the service: the MCP server, the authorization server in front of it, and how to find both. */
export const mcpRoutes = Layer.mergeAll(mcpEndpoint, oauthRoutes, serverCardRoutes).pipe(
  Layer.provide(oauthServices),
  Layer.provide(McpLimits.layer),
  Layer.provide(serviceAudits),
  Layer.provide(rubricBook)
)
