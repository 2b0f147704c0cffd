import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
let runPath: string
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_BASE_URL: "https://gauge.dev" } })
  const { headers } = await service.submit({ base_url: "https://docs.edge.dev" })
  runPath = `/api/public/audit/${headers.get("x-audit-run-id")}`
})
afterAll(() => service.stop())

/** The bytes of an answer as they were sent. */
const raw = (
  path: string,
  headers: Record<string, string>,
  method = "GET"
): Promise<{ headers: NodeJS.Dict<string | Array<string>>; body: Buffer }> =>
  new Promise((resolve, reject) => {
    request(service.url + path, { headers, method }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }))
    })
      .on("error", reject)
      .end()
  })

/** What comes back over a bare connection until it is closed. */
const overSocket = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let received = ""
    const socket = connect(service.port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => {
      received += chunk.toString()
    })
    socket.on("error", () => resolve(received))
    socket.on("close", () => resolve(received))
  })

describe("methods", () => {
  it.each([
    ["/audit", "POST, OPTIONS"],
    ["/api/public/browse/top", "GET, HEAD, OPTIONS"],
    ["/openapi.json", "GET, HEAD, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"]
  ])("%s answers others with 405, Allow and method_not_allowed", async (path, allow) => {
    for (const method of ["PUT", "PATCH", "DELETE", allow.startsWith("POST") ? "GET" : "POST"]) {
      const answer = await service.ask(path, { method })
      expect([answer.status, answer.headers.get("allow"), await answer.json()]).toMatchObject([
        405,
        allow,
        { code: "method_not_allowed" }
      ])
    }
  })

  it("HEAD is answered as GET without a body", async () => {
    for (const path of [runPath, "/api/public/browse/summary", "/openapi.yaml", "/healthz"]) {
      const [get, head] = [await service.ask(path), await service.ask(path, { method: "HEAD" })]
      expect([
        head.status,
        head.headers.get("content-type"),
        head.headers.get("content-length"),
        await head.text()
      ]).toEqual([get.status, get.headers.get("content-type"), get.headers.get("content-length"), ""])
    }
  })

  it("OPTIONS lists the methods, and gets a 404 for an unknown path", async () => {
    const answer = await service.ask("/audit", { method: "OPTIONS" })
    expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([204, "POST, OPTIONS", ""])
    expect((await service.ask("/nowhere", { method: "OPTIONS" })).status).toBe(404)
    expect(await overSocket("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 204/
    )
  })

  it.each([
    "/nowhere",
    "/api",
    "/api/public",
    "/api/public/audit",
    "/AUDIT",
    "/openapi",
    "/.env",
    "/%2e%2e/etc/passwd",
    "/%zz",
    "//audit//x"
  ])("%s is a JSON 404 with not_found", async (path) => {
    const answer = await service.ask(path)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }])
  })

  it.each([
    "/nowhere",
    "/api/public/audit/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
    "/r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
    "/docs/v1/nowhere",
    "/rubric/Z9",
    "/dashboard/none"
  ])("%s is a 404 that nothing keeps, for people and for programs", async (path) => {
    for (const accept of ["text/html", "application/json"]) {
      const { headers, status } = await service.ask(path, { headers: { accept, "accept-encoding": "br" } })
      expect([path, status, headers.get("cache-control"), headers.get("vary")]).toEqual([
        path,
        404,
        "no-store",
        "Accept, Accept-Encoding"
      ])
    }
  })
})

describe("CORS", () => {
  it("lets any origin read /api/public/* and /openapi.*, without credentials", async () => {
    for (const path of [runPath, "/api/public/browse/top", "/openapi.json", "/api/public/audit/x"]) {
      const { headers } = await raw(path, { host: "gauge.dev", origin: "https://elsewhere.dev" })
      expect([headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([
        "*",
        undefined
      ])
    }
  })

  it("lets any origin read badges and feeds under the service's own name, and under a name of loopback none", async () => {
    for (const path of [
      "/badge.json?base_url=docs.gauge.dev",
      "/browse/site.atom?site=x.dev",
      "/dashboard/x/feed.atom"
    ]) {
      const asked = async (host: string) =>
        (await raw(path, { host, origin: "https://elsewhere.dev" })).headers["access-control-allow-origin"]
      expect([path, await asked("gauge.dev"), await asked("localhost")]).toEqual([path, "*", undefined])
    }
  })

  it("answers a preflight for them", async () => {
    const { headers } = await raw(
      "/api/public/browse/top",
      { host: "gauge.dev", origin: "https://elsewhere.dev", "access-control-request-method": "GET" },
      "OPTIONS"
    )
    expect([headers["access-control-allow-methods"], headers["access-control-allow-origin"]]).toEqual([
      "GET, HEAD",
      "*"
    ])
  })

  it("permits no origin to submit", async () => {
    const preflight = await service.ask("/audit", {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.dev", "access-control-request-method": "POST" }
    })
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull()
    const { headers } = await service.submit("{", "", { origin: "https://elsewhere.dev" })
    expect(headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("security headers", () => {
  it.each([
    ["/healthz", "GET"],
    ["/nowhere", "GET"],
    ["/audit", "DELETE"],
    ["/api/public/audit/x", "GET"],
    ["/openapi.json", "HEAD"]
  ])("stand on %s %s", async (path, method) => {
    const { headers } = await service.ask(path, { method })
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
  })

  it("do not name the server software", async () => {
    const { headers } = await service.ask("/healthz")
    expect([headers.get("server"), headers.get("x-powered-by")]).toEqual([null, null])
  })
})

describe("compression", () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const

  it.each([
    ["br", "br"],
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["*", "br"]
  ] as const)("answers %s with %s", async (accept, coding) => {
    const plain = await raw(runPath, {})
    const { body, headers } = await raw(runPath, { "accept-encoding": accept })
    expect([headers["content-encoding"], headers["vary"]]).toEqual([coding, "Accept-Encoding"])
    expect(decoders[coding](body)).toEqual(plain.body)
    expect(body.length).toBeLessThan(plain.body.length)
  })

  it.each(["", "identity", "deflate", "br;q=0", "zstd", "gzip;q=0, br;q=0, *;q=0", "nonsense;;;q=x,,"])(
    "leaves the answer as it is for %j",
    async (accept) => {
      expect((await raw(runPath, { "accept-encoding": accept })).headers["content-encoding"]).toBeUndefined()
    }
  )

  it("skips bodies of less than 1 KB", async () => {
    expect(
      (await raw("/api/public/browse/summary", { "accept-encoding": "br" })).headers["content-encoding"]
    ).toBeUndefined()
  })

  it("includes bodies that are made for one request", async () => {
    const { body, headers } = await raw("/metrics", { "accept-encoding": "gzip" })
    expect(headers["content-encoding"]).toBe("gzip")
    expect(gunzipSync(body).toString()).toContain("docgauge_audits_total")
  })

  it("skips archives, which are already compressed", async () => {
    expect((await raw(`${runPath}/archive`, { "accept-encoding": "br" })).headers["content-encoding"]).toBeUndefined()
  })
})

describe("a malformed request", () => {
  it.each([
    ["garbage", "\u0016\u0003\u0001\r\n\r\n", 400],
    ["an unknown method", "BREW /audit HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["a bare line feed in a header", "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n", 400],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    [
      "the same host twice",
      "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: 127.0.0.1\r\nConnection: close\r\n\r\n",
      400
    ],
    ["two lengths", "POST /audit HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}", 400],
    [
      "a length and chunks",
      "POST /audit HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ],
    ["header fields of 20 KB", `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(20_000)}\r\n\r\n`, 431]
  ])("%s", async (_name, bytes, status) => {
    expect(await overSocket(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it("with header fields that take ten seconds gets a 408", async () => {
    const startedAt = performance.now()
    expect(await overSocket("GET /healthz HTTP/1.1\r\nHost: x\r\n")).toMatch(/^HTTP\/1.1 408 /)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  it("that ends in the middle of its body does no harm", async () => {
    const socket = connect(service.port, "127.0.0.1", () => {
      socket.write(
        'POST /audit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"base'
      )
      setTimeout(() => socket.destroy(), 50)
    })
    await new Promise((resolve) => socket.on("close", resolve))
    expect((await service.ask("/healthz/live")).status).toBe(200)
  })

  it("with an unsupported upgrade is handled as a plain request", async () => {
    expect(
      await overSocket("GET /healthz/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n")
    ).toMatch(/^HTTP\/1.1 200/)
  })
})

/** All that there is to be told, as it is before much has happened. */
const METRICS = [
  'docgauge_audits_total{result="done"}',
  'docgauge_audits_total{result="audit_failed"}',
  'docgauge_audits_total{result="unreachable"}',
  'docgauge_audits_total{result="internal"}',
  "docgauge_audits_running",
  "docgauge_audit_duration_seconds_count",
  'docgauge_audit_duration_seconds_bucket{le="30"}',
  "docgauge_audit_exchanges_total",
  "docgauge_audit_bytes_total",
  "docgauge_queue_depth",
  "docgauge_queue_oldest_seconds",
  ...["submit", "poll", "browse", "site", "host", "oauth", "mcp"].map(
    (policy) => `docgauge_limit_refusals_total{policy="${policy}"}`
  ),
  'docgauge_event_loop_delay_seconds{percentile="99"}',
  'docgauge_store_duration_seconds_count{operation="accept"}',
  "docgauge_store_failures_total",
  'docgauge_http_responses_total{method="GET",status="2xx"}',
  "docgauge_archives_bytes",
  "docgauge_archives_free_bytes",
  "docgauge_archives_low_space",
  ...["low_space", "too_large", "too_old", "write_failed"].map(
    (reason) => `docgauge_archives_not_kept_total{reason="${reason}"}`
  )
]

describe("for operators", () => {
  it("/healthz reports process and database, /healthz/live the process only", async () => {
    // On a machine that stalls, the database is unavailable for a while.
    const health = async (): Promise<unknown> => (await service.ask("/healthz")).json()
    await expect.poll(health, { timeout: 60_000 }).toEqual({ status: "ok", database: "ok" })
    expect(await (await service.ask("/healthz/live")).json()).toEqual({ status: "ok" })
  })

  it("/healthz stays 200 with a warning and /metrics reports it if there is no space for archives; reports are still stored", async () => {
    let free = 0
    const short = await startService({ freeSpace: () => Promise.resolve(free) })
    try {
      const { headers } = await short.submit({ base_url: "https://docs.short.dev" })
      const id = headers.get("x-audit-run-id")
      const health = async (): Promise<unknown> => {
        const answer = await short.ask("/healthz")
        return [answer.status, await answer.json()]
      }
      await expect.poll(health, { timeout: 60_000 }).toEqual([
        200,
        {
          status: "ok",
          database: "ok",
          warning: "Less than 500 MB free on the archive disk: new archives are not stored until there is more."
        }
      ])
      expect((await short.ask(`/api/public/audit/${id}`)).status).toBe(200)
      expect((await short.ask(`/api/public/audit/${id}/archive`)).status).toBe(404)
      const text = await (await short.ask("/metrics")).text()
      expect(text).toMatch(/^docgauge_archives_low_space(?:\{[^}]*\})? 1$/mu)
      expect(text).toMatch(/^docgauge_archives_not_kept_total\{[^}]*reason="low_space"[^}]*\} 1$/mu)
      free = 10 * 1024 ** 3
      const { headers: again } = await short.submit({ base_url: "https://docs.roomy.dev" })
      expect((await short.ask(`/api/public/audit/${again.get("x-audit-run-id")}/archive`)).status).toBe(200)
    } finally {
      await short.stop()
    }
  })

  it("/metrics counts what the service does", async () => {
    const text = await (await service.ask("/metrics")).text()
    for (const name of METRICS) expect(text).toContain(name)
  })

  it("/metrics has the labels of summaries and histograms on nothing else, as promtool asks", async () => {
    const lines = (await (await service.ask("/metrics")).text()).trim().split("\n")
    const typeOf = new Map(
      lines.filter((line) => line.startsWith("# TYPE")).map((line) => [line.split(" ")[2] ?? "", line.split(" ")[3]])
    )
    const reserved = lines
      .filter((line) => /[{,](?:quantile|le)=/.test(line))
      .map((line) => line.replace(/(?:_bucket)?\{.*/, ""))
    expect(new Set(reserved.map((name) => typeOf.get(name)))).toEqual(new Set(["histogram"]))
    const totals = [...typeOf].filter(([name, type]) => name.endsWith("_total") !== (type === "counter"))
    expect(totals).toEqual([])
  })

  it("/metrics has every series once, with its description", async () => {
    const lines = (await (await service.ask("/metrics")).text()).trim().split("\n")
    const series = lines.filter((line) => !line.startsWith("#")).map((line) => line.slice(0, line.lastIndexOf(" ")))
    expect(series.filter((name, index) => series.indexOf(name) !== index)).toEqual([])
    const explained = lines.filter((line) => line.startsWith("# HELP")).map((line) => line.split(" ")[2])
    expect(explained.filter((name, index) => explained.indexOf(name) !== index)).toEqual([])
  })
})
