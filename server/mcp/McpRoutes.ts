import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { oauthServices } from "../oauth/OAuth.ts"
import { oauthRoutes } from "../oauth/OAuthRoutes.ts"
import { RubricInForce } from "../config/RubricInForce.ts"
import { mcpEndpoint } from "./transport/HttpEndpoint.ts"
import { McpLimits } from "./transport/McpLimits.ts"
import { RubricBook } from "./features/RubricMarkdown.ts"
import { serviceAudits } from "./audits/ServiceAudits.ts"

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
