import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as Layer from "effect/Layer"
import { publicJson } from "../../oauth/OAuthAnswers.ts"
import { OAuthSettings } from "../../oauth/OAuthSettings.ts"
import { serverInfo } from "./ServerInfo.ts"

/** Paths of the server card: that of SEP-2127, with and without its extension, and an older one. */
const PATHS = ["/.well-known/mcp/server-card.json", "/.well-known/mcp/server-card", "/.well-known/mcp.json"] as const

/** The server card (SEP-2127): name and URL of the server, for clients that are not connected yet. */
export const serverCard = (endpoint: string, documentation: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${new URL(endpoint).hostname.split(".").toReversed().join(".")}/${serverInfo.name}`,
  title: serverInfo.name,
  version: serverInfo.version,
  description: serverInfo.description,
  websiteUrl: documentation,
  remotes: [
    {
      type: "streamable-http",
      url: endpoint,
      supportedProtocolVersions: serverInfo.protocols.map(({ protocolVersion }) => protocolVersion)
    }
  ]
})

/** Serves the card. */
export const serverCardRoutes: Layer.Layer<never, never, HttpRouter.HttpRouter | OAuthSettings> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { issuer, resource } = yield* OAuthSettings
    for (const path of PATHS) yield* router.add("GET", path, Effect.succeed(publicJson(serverCard(resource, issuer))))
  })
)
