import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { serverInfo } from "./ServerInfo.ts"

/** The media types of a server card and of a catalog that lists it (SEP-2127). */
export const SERVER_CARD_TYPE = "application/mcp-server-card+json"
export const AI_CATALOG_TYPE = "application/ai-catalog+json"

/** Where earlier states of the proposal had the card, with and without an extension. */
const EARLIER_PATHS = [
  "/.well-known/mcp/server-card.json",
  "/.well-known/mcp/server-card",
  "/.well-known/mcp.json"
] as const

/** The URL of the card of the server at `endpoint`. */
export const serverCardUrl = (endpoint: string): string => `${trimTrailingSlashes(endpoint)}/server-card`

/** The paths that show the card: that of SEP-2127, then earlier ones. */
export const serverCardPaths = (endpoint: string): ReadonlyArray<string> => [
  new URL(serverCardUrl(endpoint)).pathname,
  ...EARLIER_PATHS
]

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

/** The AI catalog of this host: it lists the card, from where clients learn its URL. */
export const aiCatalog = (endpoint: string, documentation: string) => ({
  specVersion: "1.0",
  host: { displayName: serverInfo.name, documentationUrl: documentation },
  entries: [
    {
      identifier: `urn:air:${new URL(endpoint).hostname}:mcp:${serverInfo.name}`,
      displayName: serverInfo.name,
      type: SERVER_CARD_TYPE,
      url: serverCardUrl(endpoint)
    }
  ]
})
