import { connect } from "node:net"
import { type OutgoingHttpHeaders, request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAdminService, tokenOf } from "../../admin/AdminService.ts"
import { startService, type TestService } from "../../TestService.ts"

/** A service behind a proxy on the same machine: it listens on loopback, and others know it as `gauge.dev`. */
let service: TestService
beforeAll(async () => {
  service = await startService({
    env: { DOCGAUGE_BASE_URL: "https://gauge.dev", DOCGAUGE_ADMIN_JWT_SECRET: "x".repeat(40) }
  })
})
afterAll(() => service.stop())

interface Told {
  readonly status: number
  readonly headers: NodeJS.Dict<string | Array<string>>
  readonly body: string
}

/** Sends a request with any headers; `fetch` would not let us choose all of them. */
const send = (port: number, path: string, headers: OutgoingHttpHeaders, method = "GET", body = ""): Promise<Told> =>
  new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path, method, headers }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
    })
      .on("error", reject)
      .end(body)
  })

const JSON_BODY = { "content-type": "application/json" }

describe("a name that resolves to a local service (DNS rebinding)", () => {
  it.each([
    "evil.dev",
    "evil.dev:8080",
    "localhost.evil.dev",
    "127.0.0.1.evil.dev",
    "gauge.dev.evil.dev",
    "169.254.169.254",
    "10.0.0.1",
    "[2001:db8::1]",
    "gauge",
    "a b"
  ])("reads nothing under %s", async (host) => {
    for (const path of ["/", "/api/public/browse/summary", "/openapi.json", "/docs/v1/", "/nowhere"]) {
      const { body, headers, status } = await send(service.port, path, { host })
      expect([path, status, headers["access-control-allow-origin"]]).toEqual([path, 421, undefined])
      expect(JSON.parse(body)).toEqual({ error: expect.stringContaining("https://gauge.dev") })
    }
  })

  it("starts no audit, and reaches neither the MCP server nor the admin API", async () => {
    const body = JSON.stringify({ base_url: "https://docs.rebound.dev" })
    expect((await send(service.port, "/audit", { ...JSON_BODY, host: "evil.dev" }, "POST", body)).status).toBe(421)
    expect((await send(service.port, "/mcp", { ...JSON_BODY, host: "evil.dev" }, "POST", "{}")).status).toBe(421)
    const authorization = `Bearer ${await tokenOf({ audience: "https://gauge.dev/api/admin" }, "x".repeat(40))}`
    expect((await send(service.port, "/api/admin/runs", { authorization, host: "evil.dev" })).status).toBe(421)
    expect((await send(service.port, "/api/admin/runs", { authorization, host: "gauge.dev" })).status).toBe(200)
    expect(service.auditor.audits()).toBe(0)
  })

  it.each([
    "gauge.dev",
    "GAUGE.dev.",
    "gauge.dev:443",
    "localhost",
    "localhost:8080",
    "app.localhost",
    "127.0.0.1",
    "127.8.9.10:1",
    "[::1]:8080"
  ])("is none where it is %s", async (host) => {
    expect((await send(service.port, "/api/public/browse/summary", { host })).status).toBe(200)
  })

  it.each(["/healthz", "/healthz/live", "/metrics"])(
    "does not matter to %s, which monitors ask by address",
    async (path) => {
      const status = async (): Promise<number> => (await send(service.port, path, { host: "10.0.0.1:8080" })).status
      // On a machine that stalls, the database is unavailable for a while.
      await expect.poll(status, { timeout: 60_000 }).toBe(200)
    }
  )

  it("reads nothing of a service that is published on loopback alone, such as a container's", async () => {
    const published = await startService({
      lookup: () => Promise.resolve(["93.184.216.34"]),
      env: { HOST: "0.0.0.0", DOCGAUGE_OWN_HOSTS_ONLY: "true" }
    })
    try {
      const asked = (host: string) => send(published.port, "/api/public/browse/summary", { host })
      expect([(await asked("evil.dev")).status, (await asked("localhost:8080")).status]).toEqual([421, 200])
      expect((await asked("localhost:8080")).headers["access-control-allow-origin"]).toBe(undefined)
    } finally {
      await published.stop()
    }
  })

  it("does not matter if the service listens publicly", async () => {
    const open = await startService({ lookup: () => Promise.resolve(["93.184.216.34"]), env: { HOST: "0.0.0.0" } })
    try {
      const { headers, status } = await send(open.port, "/api/public/browse/summary", { host: "whatever.dev" })
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"])
    } finally {
      await open.stop()
    }
  })

  it("matters if private addresses are audited, wherever the service listens", async () => {
    const reaching = await startService({
      lookup: () => Promise.resolve(["10.0.0.1"]),
      env: { HOST: "0.0.0.0", DOCGAUGE_ALLOW_PRIVATE: "true", DOCGAUGE_BASE_URL: "http://gauge.lan:8080" }
    })
    try {
      expect((await send(reaching.port, "/api/public/browse/summary", { host: "evil.dev" })).status).toBe(421)
      const { headers, status } = await send(reaching.port, "/api/public/browse/summary", { host: "gauge.lan" })
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, undefined])
    } finally {
      await reaching.stop()
    }
  })
})

describe("pages of other origins", () => {
  it.each([
    "/api/public/browse/summary",
    "/openapi.json",
    "/openapi.yaml",
    "/.well-known/mcp.json",
    "/.well-known/ai-catalog.json",
    "/.well-known/docgauge-keys.json",
    "/mcp/server-card"
  ])("read %s of a public service, and not of a local one", async (path) => {
    const [open, local] = await Promise.all(
      ["gauge.dev", "localhost"].map((host) => send(service.port, path, { host, origin: "https://elsewhere.dev" }))
    )
    expect(open?.headers["access-control-allow-origin"]).toBe("*")
    expect([local?.status, local?.headers["access-control-allow-origin"]]).toEqual([200, undefined])
  })

  it.each(["/.well-known/oauth-authorization-server", "/docs/.well-known/oauth-protected-resource", "/oauth/keys"])(
    "do not read %s, because the MCP server that it leads to refuses them",
    async (path) => {
      const { headers, status } = await send(service.port, path, { host: "gauge.dev", origin: "https://elsewhere.dev" })
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, undefined])
    }
  )

  const audit = (headers: Record<string, string>): Promise<Told> =>
    send(
      service.port,
      "/audit?async=true",
      { ...JSON_BODY, host: "gauge.dev", ...headers },
      "POST",
      JSON.stringify({ base_url: "https://docs.page.dev" })
    )

  it.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "cross-site", origin: "https://gauge.dev" }],
    [{ "sec-fetch-site": "made-up" }],
    [{ "sec-fetch-site": "" }],
    [{ origin: "https://evil.dev" }],
    [{ origin: "null" }],
    [{ origin: "https://gauge.dev:8443" }],
    [{ origin: "https://gauge.dev.evil.dev" }],
    [{ origin: "nonsense" }],
    [{ origin: "http://localhost:3000", host: "localhost:8080" }]
  ])("start no audit: %j", async (headers) => {
    const { body, status } = await audit(headers)
    expect([status, Object.keys(JSON.parse(body))]).toEqual([403, ["error"]])
  })

  it.each([
    [{}],
    [{ "sec-fetch-site": "same-origin", origin: "null" }],
    [{ "sec-fetch-site": "same-site", origin: "https://www.gauge.dev" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://gauge.dev" }],
    [{ origin: "https://gauge.dev", host: "gauge.dev:443" }],
    [{ origin: "https://gauge.dev", host: "localhost:8080" }],
    [{ origin: "http://localhost:8080", host: "localhost:8080" }],
    [{ origin: "http://[::1]:8080", host: "[::1]:8080" }]
  ])("do where they are ours, and programs do: %j", async (headers) => {
    expect((await audit(headers)).status).toBe(202)
  })

  it("are refused before the body is read, forms with a page", async () => {
    const head = [
      "POST /audit HTTP/1.1",
      "Host: localhost",
      "Origin: https://evil.dev",
      "Content-Type: application/x-www-form-urlencoded",
      "Accept: text/html",
      "Content-Length: 100"
    ]
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(service.port, "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\n\r\nbase`))
      socket.once("data", (chunk) => {
        resolve(chunk.toString())
        socket.destroy()
      })
    })
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
    expect(answer.toLowerCase()).toContain("content-type: text/html")
  })

  it("may use tokens of operators, which no page has", async () => {
    const admin = await startAdminService()
    try {
      expect((await admin.admin("POST", "/runs", { base_url: "https://docs.operators.dev" })).status).toBeLessThan(300)
    } finally {
      await admin.stop()
    }
  })
})
