import { request } from "node:http"
import { afterAll, describe, expect, it } from "vitest"
import { bodyOf, Dance, INITIALIZE } from "../oauth/Dance.ts"
import { type AgentService, startAgentService, startAuthorizedAgent } from "./AgentService.ts"

const { dance, service, token } = await startAuthorizedAgent()
afterAll(() => service.stop())

/** Opens a session; its headers for further messages. */
const session = async (bearer = token): Promise<Readonly<Record<string, string>>> => {
  const answer = await dance.message(bearer)
  const id = answer.headers.get("mcp-session-id") ?? ""
  const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" }
  await dance.message(bearer, { jsonrpc: "2.0", method: "notifications/initialized" }, headers)
  return headers
}

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" }

interface RpcAnswer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

describe("sessions", () => {
  it("belong to their owner: no other grant can use or end them", async () => {
    const own = await session()
    const { access_token: other } = await dance.authorized()
    expect((await dance.message(other, LIST, own)).status).toBe(404)
    const ended = await fetch(service.mcp, { method: "DELETE", headers: { authorization: `Bearer ${other}`, ...own } })
    expect(ended.status).toBe(404)
    expect((await dance.message(token, LIST, own)).status).toBe(200)
  })

  it("end on request of their owner", async () => {
    const own = await session()
    expect(
      (await fetch(service.mcp, { method: "DELETE", headers: { authorization: `Bearer ${token}`, ...own } })).status
    ).toBe(204)
    expect((await dance.message(token, LIST, own)).status).toBe(404)
  })

  it("are required in revisions with sessions, and cannot be forged", async () => {
    expect((await dance.message(token, LIST)).status).toBe(400)
    expect((await dance.message(token, LIST, { "mcp-session-id": "made-up" })).status).toBe(404)
  })

  it("survive a refresh of the token", async () => {
    const given = await dance.authorized()
    const own = await session(given.access_token)
    const renewed = await bodyOf<{ readonly access_token: string }>(
      await dance.refresh(given.clientId, given.refresh_token)
    )
    expect((await dance.message(renewed.access_token, LIST, own)).status).toBe(200)
  })

  it("use the negotiated revision, from the oldest to the newest that has sessions", async () => {
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
      const answer = await dance.message(token, {
        ...INITIALIZE,
        params: { ...INITIALIZE.params, protocolVersion: revision }
      })
      expect((await bodyOf<RpcAnswer>(answer)).result?.["protocolVersion"]).toBe(revision)
    }
    const unknown = await dance.message(token, {
      ...INITIALIZE,
      params: { ...INITIALIZE.params, protocolVersion: "1999-01-01" }
    })
    expect((await bodyOf<RpcAnswer>(unknown)).result?.["protocolVersion"]).toBe("2025-11-25")
    expect(
      (await dance.message(token, LIST, { ...(await session()), "mcp-protocol-version": "1999-01-01" })).status
    ).toBe(400)
  })
})

describe("pages of other origins", () => {
  it.each(["https://evil.example", "http://localhost:1", "null"])(
    "are refused, with a token or without one: %s",
    async (origin) => {
      expect((await dance.message(token, INITIALIZE, { origin })).status).toBe(403)
      expect((await dance.message(null, INITIALIZE, { origin })).status).toBe(403)
    }
  )

  it("are distinguished from the server's own pages", async () => {
    expect((await dance.message(token, INITIALIZE, { origin: service.url })).status).toBe(200)
  })
})

describe("messages", () => {
  it("of 1 MB are refused with and without a Content-Length", async () => {
    const huge = JSON.stringify({ ...INITIALIZE, padding: "x".repeat(1_000_000) })
    expect((await dance.message(token, huge)).status).toBe(413)
    const status = await new Promise<number>((resolve) => {
      const chunked = request(service.mcp, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`
        }
      })
      chunked.on("response", (answer) => resolve(answer.statusCode ?? 0)).on("error", () => resolve(413))
      for (let piece = 0; piece < 16; piece += 1) chunked.write("x".repeat(65_536))
      chunked.end()
    })
    expect(status).toBe(413)
  })

  it.each([
    ["nest deep", "[".repeat(30_000)],
    [
      "nest deep in an argument",
      JSON.stringify({ ...INITIALIZE, deep: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) })
    ],
    [
      "come in a flood of a batch",
      JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })))
    ],
    ["come in an empty batch", "[]"]
  ])("are refused that %s", async (_, body) => {
    expect((await dance.message(token, body)).status).toBe(400)
  })

  it("that are not JSON get the protocol's own error", async () => {
    expect((await bodyOf<RpcAnswer>(await dance.message(token, '{"jsonrpc":'))).error?.code).toBe(-32_700)
  })

  it("need the media type JSON, and must accept both kinds of response", async () => {
    expect((await dance.message(token, INITIALIZE, { "content-type": "text/plain" })).status).toBe(415)
    expect((await dance.message(token, INITIALIZE, { accept: "text/html" })).status).toBe(406)
  })

  it("that the transport refuses are told what to send instead, in a body", async () => {
    const told = async (answer: Response) => [answer.status, (await bodyOf<RpcAnswer>(answer)).error?.message]
    const own = await session()
    expect(await told(await dance.message(token, INITIALIZE, { accept: "application/json" }))).toEqual([
      406,
      "Send the header Accept: application/json, text/event-stream. The server answers in either."
    ])
    expect(await told(await dance.message(token, [LIST, { ...LIST, id: 3 }], own))).toEqual([
      400,
      "Send one JSON-RPC message, not a batch or an empty body."
    ])
    expect(await told(await dance.message(token, [LIST]))).toEqual([
      400,
      expect.stringContaining("Send initialize first")
    ])
  })

  it("are answered by event streams that proxies do not hold back and nothing keeps", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: { name: "audit", arguments: { base_url: "https://docs70.stream.dev" }, _meta: { progressToken: "p" } }
    }
    const answer = await dance.message(token, call, await session())
    expect(["content-type", "cache-control", "x-accel-buffering"].map((name) => answer.headers.get(name))).toEqual([
      "text/event-stream",
      "no-cache",
      "no"
    ])
    const run = /"text":"[^"]*run_id: ([\da-f-]{36})\\nshare_url: ([^"]*)"/.exec(await answer.text())
    expect(run?.[2]).toBe(`${service.url}/r/${run?.[1]}`)
  })

  it("must be sent by POST: GET offers no stream", async () => {
    const answer = await fetch(service.mcp, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" }
    })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, DELETE"])
    expect((await fetch(service.mcp, { headers: { accept: "text/event-stream" } })).status).toBe(401)
  })

  it("are not logged, nor is a token", () => {
    expect(service.logs.join("\n")).not.toContain(token)
    expect(service.logs.filter((line) => line.includes("level=ERROR"))).toEqual([])
  })
})

describe("limits", () => {
  const call = (id: number, name: string, given: object) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: given }
  })

  const codesOf = async (strict: AgentService, count: number): Promise<ReadonlyArray<string>> => {
    const own = new Dance(strict.url)
    const { access_token: bearer } = await own.authorized()
    const opened = await own.message(bearer)
    const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
    const codes: Array<string> = []
    for (let index = 0; index < count; index += 1) {
      const answer = await own.message(
        bearer,
        call(index, "audit", { base_url: `https://docs${index}.example${index}.org` }),
        headers
      )
      codes.push(/"text":"Error (\w+): /.exec(await answer.text())?.[1] ?? "ok")
    }
    return codes
  }

  it("count submissions for the grant, as tool errors with the wait", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_SUBMIT_RATE: "2/60s" } })
    expect(await codesOf(strict, 3)).toEqual(["ok", "ok", "rate_limited"])
    await strict.stop()
  })

  it("say once in words how long to wait, and once for programs", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_SUBMIT_RATE: "1/1h" } })
    const own = new Dance(strict.url)
    const { access_token: bearer } = await own.authorized()
    const opened = await own.message(bearer)
    const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
    const audited = (id: number) =>
      own.message(bearer, call(id, "audit", { base_url: `https://docs${id}.example${id}.org` }), headers)
    await (await audited(1)).text()
    const refused = await (await audited(2)).text()
    expect(/"text":"([^"]*)"/.exec(refused)?.[1]).toMatch(
      /^Error rate_limited: Too many requests\. Wait [^.]+\.\\nAfter that, call the tool again once\.\\nretry_after: \d+$/
    )
    await strict.stop()
  })

  it("report a full queue as a tool error with the wait", async () => {
    const full = await startAgentService({ env: { DOCGAUGE_QUEUE_LIMIT: "1", DOCGAUGE_CONCURRENT_AUDITS: "1" } })
    const first = await full.submit({ base_url: "https://held.one.dev" }, "?async=true")
    await expect
      .poll(async () => (await full.ask(`/api/public/audit/${first.headers.get("x-audit-run-id")}`)).text())
      .toContain("running")
    await full.submit({ base_url: "https://held.two.dev" }, "?async=true")
    expect(await codesOf(full, 1)).toEqual(["unavailable"])
    await full.stop()
  })

  it("count submissions of a network at ten times the rate of a grant, or what the operator sets", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_SUBMIT_RATE: "1/1h" } })
    const codes: Array<string> = []
    for (let user = 0; user < 11; user += 1) codes.push(...(await codesOf(strict, 1)))
    expect(codes).toEqual([...Array.from({ length: 10 }, () => "ok"), "rate_limited"])
    await strict.stop()
    const set = await startAgentService({ env: { DOCGAUGE_SUBMIT_RATE: "1/1h", DOCGAUGE_MCP_NETWORK_FACTOR: "2" } })
    expect([await codesOf(set, 1), await codesOf(set, 1), await codesOf(set, 1)].flat()).toEqual([
      "ok",
      "ok",
      "rate_limited"
    ])
    await set.stop()
  })

  it("count one grant over many IP addresses", async () => {
    const proxied = await startAgentService({ env: { DOCGAUGE_SUBMIT_RATE: "2/60s", DOCGAUGE_TRUST_PROXY: "1" } })
    const own = new Dance(proxied.url)
    const { access_token: bearer } = await own.authorized()
    const opened = await own.message(bearer)
    const outcome = async (index: number): Promise<boolean> => {
      const answer = await own.message(
        bearer,
        call(index, "audit", { base_url: `https://docs${index}.example${index}.org` }),
        {
          "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
          "x-forwarded-for": `198.51.100.${index}`
        }
      )
      return (await answer.text()).includes("rate_limited")
    }
    expect([await outcome(1), await outcome(2), await outcome(3)]).toEqual([false, false, true])
    await proxied.stop()
  })

  it("tell two users of one client apart, and count audits of a site against the grant from whatever network", async () => {
    const proxied = await startAgentService({
      env: {
        DOCGAUGE_SITE_QUOTA: "1/24h",
        DOCGAUGE_TARGET_WINDOW: "off",
        DOCGAUGE_TRUST_PROXY: "1",
        DOCGAUGE_MCP_NETWORK_FACTOR: "2"
      }
    })
    const own = new Dance(proxied.url)
    const client = await own.client()
    const user = async (): Promise<string> =>
      (await bodyOf<{ readonly access_token: string }>(await own.redeem(client, await own.code(client)))).access_token
    const outcome = async (bearer: string, address: string): Promise<string> => {
      const opened = await own.message(bearer)
      const answer = await own.message(bearer, call(1, "audit", { base_url: "https://docs.example.org" }), {
        "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
        "x-forwarded-for": address
      })
      return /site_quota|"status":"done"/.exec(await answer.text())?.[0] ?? ""
    }
    const [one, two, three] = [await user(), await user(), await user()]
    expect(await outcome(one, "198.51.100.1")).toBe('"status":"done"')
    expect(await outcome(one, "203.0.113.1")).toBe("site_quota")
    expect(await outcome(two, "198.51.100.9")).toBe('"status":"done"')
    expect(await outcome(three, "198.51.100.10")).toBe("site_quota")
    expect(await outcome(three, "203.0.113.9")).toBe('"status":"done"')
    await proxied.stop()
  })

  const PING = { jsonrpc: "2.0", id: 1, method: "ping" }
  const statusesOf = async (dancer: Dance, bearer: string, count: number): Promise<ReadonlyArray<number>> => {
    const answers = await Promise.all(Array.from({ length: count }, () => dancer.message(bearer, PING)))
    return answers.map(({ status }) => status)
  }

  it("bound the messages of a grant with a JSON-RPC error that says how long to wait", async () => {
    const flooded = await startAgentService({ env: { DOCGAUGE_MCP_RATE: "20/1h" } })
    const own = new Dance(flooded.url)
    const { access_token: bearer } = await own.authorized()
    expect((await statusesOf(own, bearer, 25)).filter((status) => status === 429)).toHaveLength(5)
    const refused = await own.message(bearer, PING)
    expect(await refused.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32_005,
        message: expect.stringContaining("Wait"),
        data: { code: "rate_limited", retry_after: expect.any(Number) }
      }
    })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.headers.get("ratelimit-policy")).toContain('"mcp";q=20')
    const { access_token: neighbour } = await own.authorized()
    expect(await statusesOf(own, neighbour, 5)).not.toContain(429)
    await flooded.stop()
  })

  it("bound the messages of a network at ten times that", async () => {
    const flooded = await startAgentService({ env: { DOCGAUGE_MCP_RATE: "2/1h" } })
    const own = new Dance(flooded.url)
    const statuses: Array<number> = []
    for (let user = 0; user < 11; user += 1)
      statuses.push(...(await statusesOf(own, (await own.authorized()).access_token, 2)))
    expect(statuses.map((status) => status === 429)).toEqual([...Array.from({ length: 20 }, () => false), true, true])
    await flooded.stop()
  })

  it("of messages and of the authorization server can be switched off", async () => {
    const strict = await startAgentService({ env: { DOCGAUGE_OAUTH_RATE: "3/1h" } })
    const limited = new Dance(strict.url)
    await limited.authorized()
    expect((await limited.register({ redirect_uris: ["http://127.0.0.1:1/"] })).status).toBe(429)
    await strict.stop()
    const open = await startAgentService({ env: { DOCGAUGE_MCP_RATE: "off", DOCGAUGE_OAUTH_RATE: "off" } })
    const own = new Dance(open.url)
    const { access_token: bearer } = await own.authorized()
    expect(await statusesOf(own, bearer, 330)).not.toContain(429)
    const keys = await Promise.all(Array.from({ length: 630 }, () => fetch(`${open.url}/oauth/keys`)))
    expect(keys.map(({ status }) => status)).not.toContain(429)
    await open.stop()
  })
})
