import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCriterion } from "../../../engine/testing/CriterionRun.ts"
import type { FakeAnswer } from "../../../engine/testing/FakeSite.ts"
import { f1McpServer } from "../../../plugins/f-agent-surface/f1-mcp-server.ts"
import { makeBearerCheck } from "../../../server/mcp/transport/HttpEndpoint.ts"
import { aiCatalog, serverCard } from "../../../server/mcp/transport/ServerInfo.ts"
import { AccessTokens } from "../../../server/oauth/AccessTokens.ts"
import { oauthOptionsOf } from "../../../server/oauth/OAuthSettings.ts"
import { Dance } from "../oauth/Dance.ts"
import { type AgentService, startAgentService } from "./AgentService.ts"

let service: AgentService
beforeAll(async () => {
  service = await startAgentService()
})
afterAll(() => service.stop())

const documentAt = async (path: string): Promise<unknown> => {
  const answer = await fetch(service.url + path)
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "application/json"])
  expect(answer.headers.get("access-control-allow-origin"), "the service is local").toBeNull()
  return answer.json()
}

describe("discovery", () => {
  it.each([
    "/docs/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource",
    "/mcp/.well-known/oauth-protected-resource"
  ])("describes the resource at %s", async (path) => {
    expect(await documentAt(path)).toMatchObject({
      resource: service.mcp,
      authorization_servers: [`${service.url}/docs`],
      scopes_supported: ["service:audit"],
      bearer_methods_supported: ["header"]
    })
  })

  it.each([
    "/docs/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/docs",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-authorization-server"
  ])("describes the authorization server at %s", async (path) => {
    expect(await documentAt(path)).toMatchObject({
      issuer: `${service.url}/docs`,
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true
    })
  })

  it("follows the URLs that an operator sets", async () => {
    const moved = await startAgentService({
      env: { DOCGAUGE_DOCS_URL: "https://docs.docgauge.dev", DOCGAUGE_MCP_URL: "https://mcp.docgauge.dev/v1/mcp" }
    })
    const resource: unknown = await (await fetch(`${moved.url}/.well-known/oauth-protected-resource/v1/mcp`)).json()
    expect(resource).toMatchObject({
      resource: "https://mcp.docgauge.dev/v1/mcp",
      authorization_servers: ["https://docs.docgauge.dev"]
    })
    const challenged = await fetch(`${moved.url}/v1/mcp`, { method: "POST" })
    expect(challenged.headers.get("www-authenticate")).toContain(
      'resource_metadata="https://docs.docgauge.dev/.well-known/oauth-protected-resource"'
    )
    await moved.stop()
  })

  it.each([
    "/mcp/server-card",
    "/.well-known/mcp.json",
    "/.well-known/mcp/server-card.json",
    "/.well-known/mcp/server-card"
  ])("shows a server card at %s, of the media type of SEP-2127, which clients can revalidate", async (path) => {
    const answer = await fetch(service.url + path)
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "application/mcp-server-card+json",
      "public, max-age=3600"
    ])
    expect(await answer.json()).toMatchObject({
      version: expect.any(String),
      remotes: [{ type: "streamable-http", url: service.mcp }]
    })
    const tag = answer.headers.get("etag") ?? ""
    expect((await fetch(service.url + path, { headers: { "if-none-match": tag } })).status).toBe(304)
  })

  it("keeps to the lengths and names that the schema of server cards allows", () => {
    const card = serverCard("https://gauge.dev/mcp", "https://gauge.dev/docs")
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(card.description.length).toBeLessThanOrEqual(100)
    expect(card.version.length).toBeLessThanOrEqual(255)
  })

  it("lists the card in the AI catalog of the host", async () => {
    const answer = await fetch(`${service.url}/.well-known/ai-catalog.json`)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/ai-catalog+json"])
    expect(await answer.json()).toMatchObject({
      specVersion: "1.0",
      entries: [{ type: "application/mcp-server-card+json", url: `${service.mcp}/server-card` }]
    })
    const [entry] = aiCatalog("https://gauge.dev/mcp", "https://gauge.dev/docs").entries
    expect(entry?.identifier).toBe("urn:air:gauge.dev:mcp:docgauge")
  })

  it("is enough for our own criterion: F1 gives full points", async () => {
    // The criterion takes no server on loopback for a product's own: what ours answers is shown under a public name.
    const host = "https://docgauge.dev"
    const own = async (path: string, method = "GET"): Promise<readonly [string, FakeAnswer]> => {
      const answer = await fetch(service.url + path, { method })
      const shown = (text: string): string => text.replaceAll(service.url, host)
      const headers = Object.fromEntries(
        [...answer.headers]
          .filter(([name]) => ["content-type", "www-authenticate"].includes(name))
          .map(([name, value]) => [name, shown(value)])
      )
      return [host + path, { status: answer.status, headers, body: shown(await answer.text()) }]
    }
    const run = await Effect.runPromise(
      runCriterion(
        f1McpServer,
        "F1",
        {},
        {
          url: host,
          site: Object.fromEntries([
            [
              host,
              "<!doctype html><title>docgauge</title><h1>docgauge</h1><p>Audits documentation, and says what to fix in it.</p>"
            ],
            await own("/.well-known/mcp.json"),
            await own("/docs/.well-known/oauth-protected-resource"),
            await own("/mcp", "POST")
          ])
        }
      )
    )
    expect(run.facts).toMatchObject({ answering: true, card: true })
  })
})

describe("a token of another scope", () => {
  it("gets a 403 that names the missing scope", async () => {
    const options = oauthOptionsOf(
      { base: "https://a.example", docs: "https://a.example/docs", mcp: "https://a.example/mcp" },
      60_000
    )
    const bearer = { grant: "g", client: "c", scopes: ["service:other"] }
    const tokens = Layer.succeed(AccessTokens, {
      issue: () => Effect.succeed(""),
      check: () => Effect.succeed(bearer),
      grantOf: () => Effect.succeed(null)
    })
    const checked = await Effect.runPromise(
      AccessTokens.use((tokens) =>
        makeBearerCheck(
          tokens,
          options
        )(HttpServerRequest.fromWeb(new Request("https://a.example/mcp", { headers: { authorization: "Bearer abc" } })))
      ).pipe(Effect.provide(tokens))
    )
    const answer = Result.isFailure(checked) ? HttpServerResponse.toWeb(checked.failure) : null
    expect(answer?.status).toBe(403)
    expect(answer?.headers.get("www-authenticate")).toMatch(
      /^Bearer error="insufficient_scope".*resource_metadata="https:\/\/a\.example\/docs\/\.well-known\/oauth-protected-resource", scope="service:audit"$/
    )
  })

  it("cannot be obtained here", async () => {
    const dance = new Dance(service.url)
    expect((await dance.sentBack({ ...dance.asked(await dance.client()), scope: "service:other" })).get("error")).toBe(
      "invalid_scope"
    )
  })
})
