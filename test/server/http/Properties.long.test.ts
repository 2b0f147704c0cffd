import * as fc from "fast-check"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
let runId: string
beforeAll(async () => {
  service = await startService()
  runId = (await service.submit({ base_url: "https://docs.properties.dev" })).headers.get("x-audit-run-id") ?? ""
})
afterAll(() => service.stop())

const RUNS = { numRuns: 150, endOnFailure: true }

/** What the document allows of GET operations. */
const allowed = fc.oneof(
  fc
    .record({
      limit: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
      cursor: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31T23:59:59Z") }), {
        nil: undefined
      })
    })
    .map(
      ({ cursor, limit }) => `/api/public/audit/${runId}/history?${query({ limit, cursor: cursor?.toISOString() })}`
    ),
  fc.constantFrom("", "/archive").map((rest) => `/api/public/audit/${runId}${rest}`),
  fc.uuid().map((id) => `/api/public/audit/${id}`),
  fc.uuid().map((baseline) => `/api/public/audit/${runId}/diff?baseline=${baseline}`),
  fc
    .record({
      window: fc.constantFrom("7d", "30d", "all"),
      order: fc.constantFrom("best", "worst"),
      limit: fc.integer({ min: 1, max: 50 })
    })
    .map((values) => `/api/public/browse/top?${query(values)}`),
  fc
    .record({ q: fc.string({ unit: "grapheme", maxLength: 60 }), limit: fc.integer({ min: 1, max: 50 }) })
    .map((values) => `/api/public/browse/search?${query(values)}`),
  fc.constantFrom("/api/public/browse/summary", "/api/public/browse/stats", "/openapi.json", "/openapi.yaml"),
  fc
    .record({ slug: fc.string({ minLength: 1, maxLength: 200 }), bucket: fc.constantFrom("30d", "90d", "12m") })
    .map((values) => `/api/public/dashboard?${query(values)}`)
)

const query = (values: Readonly<Record<string, string | number | undefined>>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]]
    )
  ).toString()

/** Any text where a path or a query goes. */
const anyTarget = fc
  .tuple(
    fc.constantFrom(
      "/api/public/audit/",
      "/api/public/browse/",
      "/api/public/dashboard",
      "/api/public/audit/x/",
      "/",
      "/audit",
      "/openapi."
    ),
    fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.webQueryParameters().map((text) => `?${text}`),
      fc.webPath()
    )
  )
  .map(([start, rest]) => `${start}${rest}`)

/** Sends bytes as they are; the status, or `null` where the connection was closed without one. */
const statusOf = (bytes: string): Promise<number | null> =>
  new Promise((resolve) => {
    let received = ""
    const socket = connect(service.port, "127.0.0.1", () => socket.end(bytes, "latin1"))
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0) || null))
  })

describe("arbitrary requests", () => {
  it("that the contract allows are answered as it says, and never with a 500", async () => {
    await fc.assert(
      fc.asyncProperty(allowed, async (path) => {
        expect((await service.ask(path)).status).toBeLessThan(500)
      }),
      RUNS
    )
  })

  it("that the contract does not allow are answered as it says, and never with a 500", async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget, async (target) => {
        const url = URL.parse(target, service.url)
        if (url === null || url.origin !== service.url) return
        expect((await service.ask(url.pathname + url.search)).status).toBeLessThan(500)
      }),
      RUNS
    )
  })

  it("with request lines of any bytes never get a 500", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"),
        fc.string({
          unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
          maxLength: 60
        }),
        async (method, target) => {
          const status = await statusOf(`${method} /${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
          expect(status ?? 0).toBeLessThan(500)
        }
      ),
      RUNS
    )
  })

  it("with header fields of any text never get a 500", async () => {
    const value = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 200
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          "if-none-match",
          "accept-encoding",
          "accept",
          "x-forwarded-for",
          "content-type",
          "content-length",
          "cookie",
          "traceparent",
          "expect",
          "range",
          "origin"
        ),
        value,
        fc.constantFrom("/openapi.json", "/api/public/browse/summary", "/healthz"),
        async (name, text, path) => {
          const status = await statusOf(
            `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${name}: ${text}\r\n\r\n`
          )
          expect(status ?? 0).toBeLessThan(500)
        }
      ),
      RUNS
    )
  })

  it("with bodies of any JSON never get a 500, and only objects with a permitted base_url are accepted", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            base_url: fc.oneof(fc.jsonValue(), fc.webUrl({ withFragments: true, withQueryParameters: true }))
          })
        ),
        async (body) => {
          const answer = await service.submit(JSON.stringify(body), "?async=true")
          expect([202, 400, 422]).toContain(answer.status)
        }
      ),
      RUNS
    )
  })

  it("with bodies of any bytes never get a 500", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(
          "application/json",
          "application/x-www-form-urlencoded",
          "text/plain",
          "",
          "application/json;charset=",
          ";;;"
        ),
        async (body, type) => {
          const answer = await service.ask("/audit", {
            method: "POST",
            headers: type === "" ? {} : { "content-type": type },
            body
          })
          expect([200, 400, 413, 415, 422]).toContain(answer.status)
        }
      ),
      RUNS
    )
  })
})
