import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { auditRemotely, makeClient, type RunUnderWay } from "../../../server/client.ts"
import { startService, type TestServiceOptions } from "../TestService.ts"

const serviceAndClient = (options?: TestServiceOptions) =>
  Effect.gen(function*() {
    const service = yield* Effect.acquireRelease(Effect.promise(() => startService(options)), ({ stop }) => Effect.promise(stop))
    return { service, client: yield* makeClient(service.url) }
  })

const live = (name: string, test: Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof serviceAndClient>>>) =>
  it.live(name, () => test.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)))

describe("the typed client", () => {
  live("has each operation by its id, answers decoded", Effect.gen(function*() {
    const { client } = yield* serviceAndClient()
    const audited = yield* client.submitAudit({ query: {}, payload: { base_url: "https://docs.client.dev" } })
    assert.strictEqual(audited.headers["x-audit-run-id"].length, 36)
    const id = audited.headers["x-audit-run-id"]
    const { body } = yield* client.getRun({ params: { id } })
    assert.strictEqual(body.status === "done" ? body.report.total_score : null, 60)
    const { body: page } = yield* client.getHistory({ params: { id }, query: { limit: 5 } })
    assert.strictEqual(page.base_url_norm, "docs.client.dev")
    const { body: found } = yield* client.browseSearch({ query: { q: "client" }, headers: {} })
    assert.deepStrictEqual(found !== undefined && "hits" in found ? found.hits.length : null, 1)
    const document = yield* client.getContractJson({ headers: {} })
    assert.strictEqual(document.body !== undefined ? document.body["openapi"] : null, "3.1.0")
  }))

  live("fails with the contract's errors, told apart by tag", Effect.gen(function*() {
    const { client } = yield* serviceAndClient({ env: { DOCGAUGE_SUBMIT_RATE: "1/60s" } })
    const submit = (base_url: string) => Effect.flip(client.submitAudit({ query: {}, payload: { base_url } }))
    const bad = yield* submit("http://docs.client.dev")
    assert.strictEqual(bad._tag === "BadRequest" ? bad.code : null, "http_not_supported")
    const failed = yield* submit("https://failing.client.dev")
    assert.strictEqual(failed._tag === "Unprocessable" ? failed.code : null, "audit_failed")
    const limited = yield* submit("https://docs.client.dev")
    assert.isTrue(limited._tag === "TooManyRequests" && limited.retry_after >= 1 && limited.rateLimitPolicy.includes("submit"))
    const gone = yield* Effect.flip(client.getRun({ params: { id: "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b" } }))
    assert.strictEqual(gone._tag, "NotFound")
  }))
})

describe("a remote audit", () => {
  live("submits, polls with progress, and has the report", Effect.gen(function*() {
    const { client, service } = yield* serviceAndClient()
    const seen: Array<RunUnderWay> = []
    const report = yield* auditRemotely(client, {
      baseUrl: "https://held.remote.dev",
      onProgress: (run) => {
        seen.push(run)
        service.auditor.release()
      }
    })
    assert.strictEqual(report.base_url, "https://held.remote.dev")
    assert.isAbove(seen.length, 0)
  }))

  live("waits as long as it is told to", Effect.gen(function*() {
    const { client, service } = yield* serviceAndClient({ env: { DOCGAUGE_SUBMIT_RATE: "1/10s" } })
    yield* Effect.promise(() => service.submit({ base_url: "https://docs.first.dev" }))
    const startedAt = performance.now()
    yield* auditRemotely(client, { baseUrl: "https://docs.second.dev" })
    assert.isAbove(performance.now() - startedAt, 900)
  }))

  live("reads the run that there is where the quota is spent", Effect.gen(function*() {
    const { client, service } = yield* serviceAndClient({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off" } })
    yield* Effect.promise(() => service.submit({ base_url: "https://docs44.quota.dev" }))
    const report = yield* auditRemotely(client, { baseUrl: "https://docs44.quota.dev" })
    assert.strictEqual(report.total_score, 44)
    assert.strictEqual(service.auditor.audits(), 1)
  }))

  live("says why there is no report", Effect.gen(function*() {
    const { client } = yield* serviceAndClient()
    const failed = yield* Effect.flip(auditRemotely(client, { baseUrl: "https://failing.remote.dev" }))
    assert.strictEqual(failed.reason, "failed")
    assert.include(failed.message, "403")
    const refused = yield* Effect.flip(auditRemotely(client, { baseUrl: "http://docs.remote.dev" }))
    assert.strictEqual(refused.reason, "refused")
  }))

  live("says at once that a URL without a scheme is none", Effect.gen(function*() {
    // Five retries would take 10 s.
    for (const url of ["localhost:8080", "docgauge"]) {
      const client = yield* makeClient(url)
      const failed = yield* Effect.timeout(Effect.flip(auditRemotely(client, { baseUrl: "https://docs.remote.dev" })), "9 seconds")
      assert.strictEqual(failed.reason, "unreachable")
      assert.include(failed.message, `${url}/audit is not an http:// or https:// URL. Pass the service's URL with its scheme`)
    }
  }).pipe(Effect.provide(FetchHttpClient.layer)))
})
