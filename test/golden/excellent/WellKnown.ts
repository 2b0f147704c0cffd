import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { HOST } from "./Layout.ts"

const AUTH = "https://auth.moorling-api.com"
const API = "https://api.moorling-api.com/v2"

const json = (value: unknown, type = "application/json"): FakeAnswer => ({
  type,
  body: `${JSON.stringify(value, null, 2)}\n`
})

const catalog = {
  linkset: [
    {
      anchor: API,
      "service-desc": [{ href: `${HOST}/openapi.json`, type: "application/vnd.oai.openapi+json" }],
      "service-doc": [{ href: `${HOST}/v2`, type: "text/html" }]
    }
  ]
}

const authorizationServer = {
  issuer: AUTH,
  authorization_endpoint: `${AUTH}/authorize`,
  token_endpoint: `${AUTH}/token`,
  jwks_uri: `${AUTH}/jwks.json`,
  scopes_supported: ["harbours:read", "bookings:read", "bookings:write"],
  response_types_supported: ["code"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"]
}

const serverCard = {
  name: "moorling",
  version: "1.3.0",
  description: "Searches the documentation and calls the sandbox.",
  transport: { type: "streamable-http", url: `${HOST}/mcp` }
}

const skills = {
  skills: [
    {
      name: "moorling-booking",
      description: "Search harbours, price stays and book berths with the Moorling API.",
      url: "/.well-known/agent-skills/moorling-booking/SKILL.md"
    }
  ]
}

const initialized = {
  jsonrpc: "2.0",
  id: 1,
  result: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "moorling", version: "1.3.0" }
  }
}

/** What an endpoint answers that is called without parameters. */
const INVALID_REQUEST: FakeAnswer = {
  status: 400,
  type: "application/json",
  body: JSON.stringify({ error: "invalid_request" })
}

/** Documents at well-known addresses, and the servers that they name. */
export const wellKnown: FakeSite = {
  "/.well-known/api-catalog": json(catalog, "application/linkset+json"),
  [`${AUTH}/.well-known/oauth-authorization-server`]: json(authorizationServer),
  "/.well-known/oauth-protected-resource": json({ resource: HOST, authorization_servers: [AUTH] }),
  "/.well-known/mcp/server-card.json": json(serverCard),
  "/.well-known/agent-skills/index.json": json(skills),
  "/mcp": { byMethod: { POST: json(initialized) }, status: 405, type: null, headers: { allow: "POST" } },
  [`${AUTH}/authorize`]: INVALID_REQUEST,
  [`${AUTH}/token`]: INVALID_REQUEST,
  [`${AUTH}/jwks.json`]: json({ keys: [] })
}
