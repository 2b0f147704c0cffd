import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

/** Two services in one process. */
let one: TestService
let other: TestService
beforeAll(async () => {
  ;[one, other] = await Promise.all([startService({ env: { DOCGAUGE_BROWSE_RATE: "1/60s" } }), startService()])
})
afterAll(() => Promise.all([one.stop(), other.stop()]))

/** The value of a series, which is `NaN` if it is missing. */
const valueOf = async (service: TestService, series: string): Promise<number> => {
  const lines = (await (await service.ask("/metrics")).text()).split("\n")
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length))
}

it("has the audits, requests, responses and refusals of one service in its own /metrics, and not in those of another in the same process", async () => {
  const figures = [
    "docgauge_audits_running",
    'docgauge_audits_total{result="done"}',
    "docgauge_audit_exchanges_total",
    'docgauge_store_duration_seconds_count{operation="accept"}',
    'docgauge_limit_refusals_total{policy="browse"}',
    'docgauge_http_responses_total{method="POST",status="2xx"}'
  ]
  const valuesOf = (service: TestService) => Promise.all(figures.map((series) => valueOf(service, series)))
  const missing = Number.NaN
  const report = one.submit({ base_url: "https://held.one.dev" })
  while ((await valueOf(one, "docgauge_audits_running")) !== 1);
  expect(await valuesOf(other)).toEqual([0, 0, 0, missing, 0, missing])
  one.auditor.release()
  expect((await report).status).toBe(200)
  for (const status of [200, 429]) expect((await one.ask("/api/public/browse/top")).status).toBe(status)
  expect(await valuesOf(one)).toEqual([0, 1, 80, 1, 1, 1])
  expect(await valuesOf(other)).toEqual([0, 0, 0, missing, 0, missing])
})

it("sends the metrics of its own audits to OTEL_EXPORTER_OTLP_ENDPOINT", async () => {
  const sent: Array<string> = []
  const collector = createServer((request, response) => {
    if (request.url === "/v1/metrics")
      request.setEncoding("utf8").on("data", (chunk: string) => {
        sent.push(chunk)
      })
    request.resume().on("end", () => response.end("{}"))
  }).listen(0, "127.0.0.1")
  await once(collector, "listening")
  const address = collector.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const third = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } })
  expect((await third.submit({ base_url: "https://docs.third.dev" })).status).toBe(200)
  await third.stop()
  collector.close()
  expect(sent.join("")).toMatch(/"docgauge_audit_exchanges_total".{0,400}"as(?:Int|Double)":"?80\b/u)
})
