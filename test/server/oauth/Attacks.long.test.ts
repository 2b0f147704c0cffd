import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AgentService, startAgentService } from "../mcp/AgentService.ts"
import { bodyOf, Dance, errorIn, REDIRECT, type Tokens } from "./Dance.ts"

/*
 * The server counts requests by client address, and all of these come from one: each group has a service of its own.
 */

const using = (
  options?: Parameters<typeof startAgentService>[0]
): { readonly dance: () => Dance; readonly service: () => AgentService } => {
  const running: Array<AgentService> = []
  beforeAll(async () => {
    running.push(await startAgentService(options))
  })
  afterAll(async () => {
    for (const service of running) await service.stop()
  })
  const service = (): AgentService => {
    const [one] = running
    if (one === undefined) throw new Error("no service")
    return one
  }
  return { service, dance: () => new Dance(service().url) }
}

describe("authorization codes", () => {
  const { dance } = using()

  it("are redeemed once; a second use revokes their tokens", async () => {
    const client = await dance().client()
    const code = await dance().code(client)
    const tokens = await bodyOf<Tokens>(await dance().redeem(client, code))
    expect((await dance().message(tokens.access_token)).status).toBe(200)
    const replayed = await dance().redeem(client, code)
    expect([replayed.status, await errorIn(replayed)]).toEqual([400, "invalid_grant"])
    expect((await dance().message(tokens.access_token)).status).toBe(401)
    expect(await errorIn(await dance().refresh(client, tokens.refresh_token))).toBe("invalid_grant")
  })

  it("are redeemed once among concurrent tries, and then the grant is revoked", async () => {
    const client = await dance().client()
    const code = await dance().code(client)
    const answers = await Promise.all(Array.from({ length: 6 }, () => dance().redeem(client, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each([
    ["a wrong verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["a verifier that is too short", { code_verifier: "short" }],
    ["another redirect address", { redirect_uri: "http://127.0.0.1:43210/other" }],
    ["another client", { client_id: "someone-else" }]
  ])("are worth nothing with %s", async (_, over) => {
    const client = await dance().client()
    const answer = await dance().redeem(client, await dance().code(client), over)
    expect([answer.status, await errorIn(answer)]).toEqual([400, "invalid_grant"])
  })

  it("are not accepted for another resource", async () => {
    const client = await dance().client()
    const answer = await dance().redeem(client, await dance().code(client), {
      resource: "https://elsewhere.example/mcp"
    })
    expect(await errorIn(answer)).toBe("invalid_target")
  })

  it("cannot be forged, and no other sealed data is accepted as one", async () => {
    const { clientId, refresh_token: refresh, access_token: access } = await dance().authorized()
    for (const code of ["", "x", "a.b.c", clientId, refresh, access]) {
      expect(await errorIn(await dance().redeem(clientId, code))).toBe("invalid_grant")
    }
  })
})

describe("authorization requests", () => {
  const { dance } = using()
  const sentBack = async (over: Readonly<Record<string, string>>) =>
    dance().sentBack({ ...dance().asked(await dance().client()), ...over })

  it("are approved at once on loopback, with state and issuer, on any port", async () => {
    const client = await dance().client()
    const answer = await dance().authorize({
      ...dance().asked(client),
      redirect_uri: "http://127.0.0.1:65000/callback"
    })
    expect(answer.status).toBe(302)
    const location = new URL(answer.headers.get("location") ?? "")
    expect(location.origin + location.pathname).toBe("http://127.0.0.1:65000/callback")
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.any(String),
      state: "xyz",
      iss: `${new URL(dance().mcp).origin}/docs`
    })
  })

  it.each([
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["no challenge method", { code_challenge_method: "" }, "invalid_request"],
    ["no challenge", { code_challenge: "" }, "invalid_request"],
    ["a challenge that is no digest", { code_challenge: "abc" }, "invalid_request"],
    ["a token at once", { response_type: "token" }, "unsupported_response_type"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["another scope", { scope: "admin" }, "invalid_scope"]
  ])("are sent back with an error for %s", async (_, over, error) => {
    const sent = await sentBack(over)
    expect([sent.get("error"), sent.get("code"), sent.get("state")]).toEqual([error, null, "xyz"])
  })

  it("get no unknown scope", async () => {
    const client = await dance().client()
    const code =
      (await dance().sentBack({ ...dance().asked(client), scope: "service:audit admin service:*" })).get("code") ?? ""
    const tokens = await bodyOf<Tokens>(await dance().redeem(client, code))
    expect(tokens.scope).toBe("service:audit")
    expect(await errorIn(await dance().refresh(client, tokens.refresh_token, { scope: "service:audit admin" }))).toBe(
      "invalid_scope"
    )
  })

  it.each([
    ["another host", { redirect_uri: "http://evil.example/callback" }],
    ["another path", { redirect_uri: "http://127.0.0.1:43210/other" }],
    ["a fragment", { redirect_uri: `${REDIRECT}#x` }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
    ["a client that is unknown", { client_id: "unknown" }],
    ["no client", { client_id: "" }]
  ])("lead nowhere with %s", async (_, over) => {
    const answer = await dance().authorize({ ...dance().asked(await dance().client()), ...over })
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null])
    expect(await answer.text()).not.toContain("evil.example")
  })

  it("get an error page if a parameter is repeated", async () => {
    const client = await dance().client()
    const query = `${new URLSearchParams(dance().asked(client)).toString()}&redirect_uri=https://evil.example/`
    const answer = await fetch(`${new URL(dance().mcp).origin}/oauth/authorize?${query}`, { redirect: "manual" })
    expect(answer.status).toBe(400)
  })
})

describe("the way to another host", () => {
  const { dance } = using()
  const ELSEWHERE = "https://app.example.com/cb"

  it("uses a page that names the host and continues by itself, and no redirect", async () => {
    const client = await dance().client(ELSEWHERE, "<img src=x onerror=alert(1)>\"'&")
    const answer = await dance().authorize({ ...dance().asked(client), redirect_uri: ELSEWHERE, state: '"><script>' })
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null])
    const page = await answer.text()
    expect(page).toContain("<strong>app.example.com</strong>")
    expect(page).toMatch(/<meta http-equiv="refresh" content="3;url=https:\/\/app\.example\.com\/cb\?code=[^"]+">/)
    expect(page).not.toMatch(/<img|<script/)
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
    expect(answer.headers.get("content-security-policy")).not.toContain("unsafe-inline")
    expect(answer.headers.get("x-frame-options")).toBe("DENY")
  })

  it("uses the same page for errors", async () => {
    const client = await dance().client(ELSEWHERE)
    const answer = await dance().authorize({ ...dance().asked(client), redirect_uri: ELSEWHERE, scope: "admin" })
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null])
    expect(await answer.text()).toContain("error=invalid_scope")
  })
})

describe("access tokens", () => {
  const { dance, service } = using()

  const forged = async (payload: Readonly<Record<string, unknown>>) => {
    const { access_token: token } = await dance().authorized()
    const [head = "", body = ""] = token.split(".")
    const claims: object = JSON.parse(Buffer.from(body, "base64url").toString())
    return { head: JSON.parse(Buffer.from(head, "base64url").toString()), claims: { ...claims, ...payload } }
  }
  const publishedKey = async (): Promise<JWK> => {
    const {
      keys: [key]
    } = await bodyOf<{ readonly keys: ReadonlyArray<JWK> }>(await fetch(`${service().url}/oauth/keys`))
    if (key === undefined) throw new Error("no key")
    return key
  }
  const expectRefused = async (token: string) => {
    const answer = await dance().message(token)
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"')
    ])
  }

  it("are required; without one the response says where to get one", async () => {
    const answer = await dance().message(null)
    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${service().url}/docs/.well-known/oauth-protected-resource", scope="service:audit"`
    )
  })

  it("are signed: not with `none`", async () => {
    const { claims } = await forged({})
    await expectRefused(new UnsecuredJWT({ ...claims }).encode())
  })

  it("are signed with the server's key, not with another key of its id", async () => {
    const { claims, head } = await forged({})
    const { privateKey } = await generateKeyPair("ES256", { extractable: true })
    await expectRefused(await new SignJWT({ ...claims }).setProtectedHeader(head).sign(privateKey))
    await expectRefused(
      await new SignJWT({ ...claims })
        .setProtectedHeader({ ...head, jwk: await exportJWK(privateKey) })
        .sign(privateKey)
    )
  })

  it("are signed: not with the public key taken for a secret", async () => {
    const { claims, head } = await forged({})
    const secret = new TextEncoder().encode(JSON.stringify(await publishedKey()))
    await expectRefused(await new SignJWT({ ...claims }).setProtectedHeader({ ...head, alg: "HS256" }).sign(secret))
  })

  it("cannot be changed, nor replaced by other data that the server issues", async () => {
    const { access_token: token, clientId, refresh_token: refresh } = await dance().authorized()
    const [head = "", , signature = ""] = token.split(".")
    const { claims } = await forged({ scope: "service:audit admin", exp: 9_999_999_999 })
    await expectRefused([head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join("."))
    await expectRefused(refresh)
    await expectRefused(clientId)
    await expectRefused("x".repeat(10_000))
  })

  it("end with their grant, whichever token is revoked", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const given = await dance().authorized()
      expect((await dance().revoke(given[which])).status).toBe(200)
      await expectRefused(given.access_token)
      expect(await errorIn(await dance().refresh(given.clientId, given.refresh_token))).toBe("invalid_grant")
    }
    expect((await dance().revoke("nonsense")).status).toBe(200)
  })
})

describe("refresh tokens", () => {
  const { dance } = using()

  it("work once; a second use ends the authorization", async () => {
    const { clientId, refresh_token: first } = await dance().authorized()
    const second = await bodyOf<Tokens>(await dance().refresh(clientId, first))
    expect(second.refresh_token).not.toBe(first)
    expect((await dance().message(second.access_token)).status).toBe(200)
    expect(await errorIn(await dance().refresh(clientId, first))).toBe("invalid_grant")
    expect((await dance().message(second.access_token)).status).toBe(401)
    expect(await errorIn(await dance().refresh(clientId, second.refresh_token))).toBe("invalid_grant")
  })

  it("belong to one client", async () => {
    const { refresh_token: token } = await dance().authorized()
    expect(await errorIn(await dance().refresh(await dance().client("http://localhost/other"), token))).toBe(
      "invalid_grant"
    )
  })
})

describe("tokens of other times and places", () => {
  it("are refused once they have expired", async () => {
    // Long enough that the token is used before it expires, on a slow machine, too.
    const service = await startAgentService({ env: { DOCGAUGE_MCP_TOKEN_TTL: "8s" } })
    const dance = new Dance(service.url)
    const { access_token: token } = await dance.authorized()
    const status = async (): Promise<number> => (await dance.message(token)).status
    expect(await status()).toBe(200)
    await expect.poll(status, { interval: 1_000 }).toBe(401)
    await service.stop()
  })

  it("are refused if they are for another resource of the same authorization server", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-oauth-"))
    const shared = { DOCGAUGE_DATABASE_URL: `file:${join(folder, "shared.db")}` }
    const one = await startAgentService({ env: shared })
    const { access_token: token } = await new Dance(one.url).authorized()
    expect((await new Dance(one.url).message(token)).status).toBe(200)
    await one.stop()
    // With the same keys and grants: an SQLite file is for one service at a time.
    const other = await startAgentService({ env: { ...shared, DOCGAUGE_DOCS_URL: `${one.url}/docs` } })
    expect((await new Dance(other.url).message(token)).status).toBe(401)
    await other.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("are refused as insufficient if the service's own key signed them for another scope", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-oauth-"))
    const file = join(folder, "keys.db")
    const service = await startAgentService({ env: { DOCGAUGE_DATABASE_URL: `file:${file}` } })
    const dance = new Dance(service.url)
    const { access_token: token } = await dance.authorized()
    const [id, key] = signingKeyIn(file)
    const signed = (scope: string): Promise<string> =>
      new SignJWT({ ...decodeJwt(token), scope }).setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: id }).sign(key)
    expect((await dance.message(await signed(String(decodeJwt(token)["scope"])))).status).toBe(200)
    const answer = await dance.message(await signed("service:other"))
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"')
    ])
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})

/** Id and private key with which a service signs access tokens, from its store. */
const signingKeyIn = (file: string): [id: string, key: JWK] => {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare("SELECT id, material FROM oauth_keys WHERE use = 'signing'").get()
  database.close()
  return [String(row?.["id"]), JSON.parse(String(row?.["material"]))]
}

describe("registration", () => {
  const { dance } = using()

  it.each([
    ["no object", []],
    ["no redirect addresses", {}],
    ["an empty list of them", { redirect_uris: [] }],
    ["too many of them", { redirect_uris: Array.from({ length: 9 }, (_, index) => `https://a.example/${index}`) }],
    ["one for scripts", { redirect_uris: ["javascript:alert(1)"] }],
    ["one of plain http", { redirect_uris: ["http://app.example.com/cb"] }],
    ["one with a fragment", { redirect_uris: ["https://app.example.com/cb#x"] }],
    ["another kind of grant", { redirect_uris: [REDIRECT], grant_types: ["client_credentials"] }],
    ["another kind of response", { redirect_uris: [REDIRECT], response_types: ["token"] }]
  ])("is refused with %s", async (_, metadata) => {
    const answer = await dance().register(metadata)
    expect([answer.status, await errorIn(answer)]).toEqual([
      400,
      expect.stringMatching(/^invalid_(?:redirect_uri|client_metadata)$/)
    ])
  })

  it("is refused if it is too large, too deep, or not JSON", async () => {
    const url = `${new URL(dance().mcp).origin}/oauth/register`
    const send = (body: string, type = "application/json") =>
      fetch(url, { method: "POST", headers: { "content-type": type }, body })
    expect((await send(JSON.stringify({ redirect_uris: [REDIRECT], padding: "x".repeat(1_000_000) }))).status).toBe(413)
    expect((await send("[".repeat(5_000))).status).toBe(400)
    expect((await send("{")).status).toBe(400)
    expect((await send("{}", "text/plain")).status).toBe(415)
  })

  it("returns no secret, and an id that contains the registration", async () => {
    const metadata = {
      redirect_uris: [REDIRECT],
      client_name: "A\u0000B",
      token_endpoint_auth_method: "client_secret_post",
      scope: "admin"
    }
    const registered = await bodyOf<Readonly<Record<string, unknown>>>(await dance().register(metadata))
    expect(registered).toMatchObject({
      client_name: "AB",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none"
    })
    expect(Object.keys(registered)).not.toContain("client_secret")
    expect(Object.keys(registered)).not.toContain("scope")
  })

  it("makes different clients of equal metadata, each with the time of its registration", async () => {
    const metadata = { redirect_uris: [REDIRECT], client_name: "Same" }
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const registered = await bodyOf<{ readonly client_id: string; readonly client_id_issued_at: number }>(
          await dance().register(metadata)
        )
        const content: unknown = JSON.parse(
          Buffer.from(registered.client_id.split(".")[1] ?? "", "base64url").toString()
        )
        expect(content).toMatchObject({ iat: registered.client_id_issued_at })
        return registered.client_id
      })
    )
    expect(new Set(ids).size).toBe(3)
  })

  it("is rate limited by client IP address, with the wait", async () => {
    const flooded = await startAgentService({ env: { DOCGAUGE_OAUTH_RATE: "20/1h" } })
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => new Dance(flooded.url).register({ redirect_uris: [REDIRECT] }))
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(refused).toHaveLength(5)
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    await flooded.stop()
  })
})
