import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { createServer } from "node:http"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { startService } from "../TestService.ts"
import { jsonLine, layerTracing, terminalLine, visible } from "../../../server/observe/Telemetry.ts"

/** The lines that an effect logs. */
const linesOf = async (
  logger: Logger.Logger<unknown, string>,
  effect: Effect.Effect<void>
): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  await Effect.runPromise(
    Effect.provide(
      effect,
      Logger.layer([
        Logger.map(logger, (line) => {
          lines.push(line)
        })
      ])
    )
  )
  return lines
}

const HOSTILE = "title\u001b[31m red\u0007\r\nforged line\u202e\u2028"

describe("logs", () => {
  it("are one JSON object per line, with annotations and cause", async () => {
    const [line = "", ...others] = await linesOf(
      jsonLine,
      Effect.annotateLogs(Effect.logError(HOSTILE, Cause.die(new Error("inner"))), { run: "r1", request: "q1" })
    )
    expect(others).toEqual([])
    expect(line).not.toMatch(/[\u0000-\u001f]/)
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      message: HOSTILE,
      run: "r1",
      request: "q1",
      cause: expect.stringContaining("inner")
    })
  })

  it("send no control characters to a terminal", async () => {
    const [line = ""] = await linesOf(terminalLine, Effect.annotateLogs(Effect.logWarning(HOSTILE), { site: HOSTILE }))
    expect(line).not.toMatch(/[\u0000-\u001f\u202e\u2028]/)
    expect(line).toContain("\\u001b[31m")
  })

  it("contain no secrets", async () => {
    const secret = Redacted.make("hunter2")
    const lines = [
      ...(await linesOf(jsonLine, Effect.logInfo("database", secret))),
      ...(await linesOf(terminalLine, Effect.annotateLogs(Effect.logInfo("x"), { secret })))
    ]
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).not.toContain("hunter2")
  })

  it("leave plain text unchanged", () => expect(visible("Grüße, 世界 🙂")).toBe("Grüße, 世界 🙂"))
})

describe("traces", () => {
  it("are sent to OTEL_EXPORTER_OTLP_ENDPOINT", async () => {
    const paths: Array<string> = []
    const collector = createServer((request, response) => {
      paths.push(request.url ?? "")
      request.resume().on("end", () => response.end("{}"))
    }).listen(0, "127.0.0.1")
    await once(collector, "listening")
    const address = collector.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const config = ConfigProvider.layer(
      ConfigProvider.fromEnvRecord({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    )
    await Effect.runPromise(
      Effect.void.pipe(Effect.withSpan("span"), Effect.provide(layerTracing.pipe(Layer.provide(config))))
    )
    expect(paths).toContain("/v1/traces")
    collector.close()
  })

  it("name routes and statements, and the client and scheme as a trusted proxy tells them", async () => {
    const bodies: Array<string> = []
    const keys = new Set<string | undefined>()
    const collector = createServer((request, response) => {
      keys.add(request.headers.authorization)
      let body = ""
      request.on("data", (part) => {
        body += String(part)
      })
      request.on("end", () => {
        bodies.push(body)
        response.end("{}")
      })
    }).listen(0, "127.0.0.1")
    await once(collector, "listening")
    const address = collector.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const service = await startService({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20KEY",
        DOCGAUGE_TRUST_PROXY: "1"
      }
    })
    await service.ask("/api/public/browse/top", {
      headers: { "x-forwarded-for": "6.6.6.6, 198.51.100.7", "x-forwarded-proto": "https" }
    })
    await service.submit({ base_url: "https://docs.traced.dev" })
    await service.ask("/api/public/browse/stats", {
      headers: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" }
    })
    await service.stop()
    collector.close()
    const texts = bodies.flatMap((body) => [...body.matchAll(/"name":"([^"]+)"/g)].map(([, name = ""]) => name))
    expect(texts).toEqual(
      expect.arrayContaining(["GET /api/public/browse/top", "POST /audit", "INSERT runs", "SELECT sites"])
    )
    expect(texts.filter((name) => name === "sqlite" || name === "GET")).toEqual([])
    // The proxy before us decided not to sample it.
    expect(texts).not.toContain("GET /api/public/browse/stats")
    expect([...keys]).toEqual(["Bearer KEY"])
    const all = bodies.join("\n")
    expect(all).toContain('{"key":"client.address","value":{"stringValue":"198.51.100.7"}}')
    expect(all).toContain('{"key":"url.scheme","value":{"stringValue":"https"}}')
    expect(all).toMatch(/"name":"docgauge_http_duration_seconds"[^[]*"unit":"s"/)
    expect(all).toMatch(/"name":"docgauge_audit_bytes_total"[^[]*"unit":"By"/)
  })

  it("are not sent without it", async () => {
    const config = ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))
    const tracer = await Effect.runPromise(Effect.tracer.pipe(Effect.provide(layerTracing.pipe(Layer.provide(config)))))
    expect(tracer).toBe(await Effect.runPromise(Effect.tracer))
  })
})
