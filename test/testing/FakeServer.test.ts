import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { Agent, request } from "undici"
import { describe, expect, it } from "vitest"
import { type FakeServerOptions, type FakeSite, serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { certificateFor } from "../evidence/LoopbackServers.ts"

const SITE: FakeSite = {
  "/": { headers: { "Content-Encoding": "gzip", etag: '"1"' }, body: "<h1>Docs</h1>" },
  "/old": { redirect: "/new" },
  "/guide": { byAccept: { "text/markdown": "# Guide" }, body: "<h1>Guide</h1>" },
  "/agents": { byAgent: { browser: "for browsers" }, body: "for agents" },
  "/rpc": { byMethod: { POST: (asked) => `{"got":${asked.body ?? "null"}}` }, status: 405 },
  "/broken": { fault: "reset" },
  "/late": { delayMs: 60, body: "late" },
  "https://api.example.com/": { status: 401 }
}

type Sent = Parameters<typeof request>[1]

/** One request to a server that lives as long as the answer takes. */
const ask = (path: string, sent: Sent = {}, options: FakeServerOptions = {}) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* serveFakeSite(SITE, options)
        return yield* Effect.promise(async () => {
          const { body, headers, statusCode } = await request(server.origin + path, sent)
          return {
            status: statusCode,
            headers,
            bytes: Buffer.from(await body.arrayBuffer()),
            requests: server.requests()
          }
        })
      })
    )
  )

describe("serveFakeSite", () => {
  it("answers with status, headers and body, and counts", async () => {
    const { bytes, headers, requests, status } = await ask("/")
    expect({ status, text: bytes.toString(), requests }).toEqual({ status: 200, text: "<h1>Docs</h1>", requests: 1 })
    expect(headers).toMatchObject({ etag: '"1"', "content-type": "text/html; charset=utf-8" })
  })

  it("compresses where the site says so and the client takes it", async () => {
    const { bytes, headers } = await ask("/", { headers: { "accept-encoding": "br, gzip" } })
    expect(headers["content-encoding"]).toBe("gzip")
    expect(gunzipSync(bytes).toString()).toBe("<h1>Docs</h1>")
    expect((await ask("/")).headers["content-encoding"]).toBeUndefined()
  })

  it("answers 404 where there is nothing, and redirects", async () => {
    expect((await ask("/nothing")).status).toBe(404)
    const { headers, status } = await ask("/old")
    expect({ status, location: headers["location"] }).toEqual({ status: 301, location: "/new" })
  })

  it("chooses by type, agent and method", async () => {
    expect((await ask("/guide", { headers: { accept: "text/markdown" } })).bytes.toString()).toBe("# Guide")
    expect((await ask("/guide", { headers: { accept: "*/*" } })).bytes.toString()).toBe("<h1>Guide</h1>")
    expect(
      (
        await ask("/agents", { headers: { "user-agent": "Mozilla/5.0 (compatible; docgauge/1; browser comparison)" } })
      ).bytes.toString()
    ).toBe("for browsers")
    expect((await ask("/agents")).bytes.toString()).toBe("for agents")
    expect((await ask("/rpc", { method: "POST", body: "[1]" })).bytes.toString()).toBe('{"got":[1]}')
    expect((await ask("/rpc")).status).toBe(405)
  })

  it("tells hosts apart by name", async () => {
    expect((await ask("/", { headers: { host: "api.example.com" } })).status).toBe(401)
    expect((await ask("/", { headers: { host: "docs.example.com:8080" } })).status).toBe(200)
  })

  it("breaks off for a fault, and takes its time for a delay", async () => {
    await expect(ask("/broken")).rejects.toThrow(/closed|reset|hang up/i)
    const start = performance.now()
    expect((await ask("/late", {}, { delayMs: 40 })).bytes.toString()).toBe("late")
    expect(performance.now() - start).toBeGreaterThan(95)
  })

  it("speaks https with a certificate", async () => {
    const tls = certificateFor("docs.example.com")
    const dispatcher = new Agent({ connect: { ca: tls.cert, servername: "docs.example.com" } })
    expect((await ask("/", { dispatcher }, { tls })).status).toBe(200)
    await dispatcher.close()
  })
})
