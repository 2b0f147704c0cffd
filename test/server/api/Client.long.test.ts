import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { auditRemotely, makeClient, type RunUnderWay } from "../../../server/client.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestServiceOptions } from "../TestService.ts"
import { anyService, answerForEver } from "../AnyService.ts"

const serviceAndClient = (options?: TestServiceOptions) =>
  Effect.gen(function* () {
    const service = yield* Effect.acquireRelease(
      Effect.promise(() => startService(options)),
      ({ stop }) => Effect.promise(stop)
    )
    return { service, client: yield* makeClient(service.url) }
  })

const live = (name: string, test: Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof serviceAndClient>>>) =>
  it.live(name, () => test.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)))

describe("the typed client", () => {
  live(
    "has each operation by its id, answers decoded",
    Effect.gen(function* () {
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
      const { body: site } = yield* client.getSites({ query: { base_url: "https://docs.client.dev" }, headers: {} })
      assert.strictEqual(site !== undefined && "latest_run_id" in site ? site.latest_run_id : null, id)
      const { body: sites } = yield* client.getSites({ query: { sites: "docs.client.dev,other.dev" }, headers: {} })
      assert.deepStrictEqual(sites !== undefined && "unknown" in sites ? [sites.sites.length, sites.unknown] : null, [
        1,
        ["other.dev"]
      ])
      const document = yield* client.getContractJson({ headers: {} })
      assert.strictEqual(document.body !== undefined ? document.body["openapi"] : null, "3.1.0")
    })
  )

  live(
    "fails with the contract's errors, told apart by tag",
    Effect.gen(function* () {
      const { client } = yield* serviceAndClient({ env: { DOCGAUGE_SUBMIT_RATE: "1/60s" } })
      const submit = (base_url: string) => Effect.flip(client.submitAudit({ query: {}, payload: { base_url } }))
      const bad = yield* submit("http://docs.client.dev")
      assert.strictEqual(bad._tag === "BadRequest" ? bad.code : null, "http_not_supported")
      const failed = yield* submit("https://failing.client.dev")
      assert.strictEqual(failed._tag === "Unprocessable" ? failed.code : null, "audit_failed")
      const limited = yield* submit("https://docs.client.dev")
      assert.isTrue(
        limited._tag === "TooManyRequests" && limited.retry_after >= 1 && limited.rateLimitPolicy.includes("submit")
      )
      const gone = yield* Effect.flip(client.getRun({ params: { id: "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b" } }))
      assert.strictEqual(gone._tag, "NotFound")
    })
  )
})

describe("the typed client of somebody who is not known as the owner", () => {
  live(
    "is told what to publish",
    Effect.gen(function* () {
      const { client } = yield* serviceAndClient()
      const payload = { base_url: "https://docs.client.dev", as_agents: true }
      const refused = yield* Effect.flip(client.submitAudit({ query: {}, payload }))
      assert.strictEqual(refused._tag === "ForeignPage" ? refused.code : null, "not_owner")
      const ownership = refused._tag === "ForeignPage" ? refused.ownership : undefined
      assert.strictEqual(ownership?.file, "https://docs.client.dev/.well-known/docgauge-verification.txt")
      assert.match(ownership?.owner_key ?? "", /^[\w-]{43}$/)
    })
  )
})

describe("a remote audit", () => {
  live(
    "submits, polls with progress, and has the report",
    Effect.gen(function* () {
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
    })
  )

  live(
    "waits as long as it is told to",
    Effect.gen(function* () {
      const { client, service } = yield* serviceAndClient({ env: { DOCGAUGE_SUBMIT_RATE: "1/10s" } })
      const startedAt = performance.now()
      yield* Effect.promise(() => service.submit({ base_url: "https://docs.first.dev" }))
      yield* auditRemotely(client, { baseUrl: "https://docs.second.dev" })
      assert.isAbove(performance.now() - startedAt, 9_000)
    })
  )

  live(
    "reads the run that there is where the quota is spent",
    Effect.gen(function* () {
      const { client, service } = yield* serviceAndClient({
        env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off" }
      })
      yield* Effect.promise(() => service.submit({ base_url: "https://docs44.quota.dev" }))
      const report = yield* auditRemotely(client, { baseUrl: "https://docs44.quota.dev" })
      assert.strictEqual(report.total_score, 44)
      assert.strictEqual(service.auditor.audits(), 1)
    })
  )

  live(
    "says why there is no report",
    Effect.gen(function* () {
      const { client } = yield* serviceAndClient()
      const failed = yield* Effect.flip(auditRemotely(client, { baseUrl: "https://failing.remote.dev" }))
      assert.strictEqual(failed.reason, "failed")
      assert.include(failed.message, "403")
      const refused = yield* Effect.flip(auditRemotely(client, { baseUrl: "http://docs.remote.dev" }))
      assert.strictEqual(refused.reason, "refused")
    })
  )

  live(
    "says at once that a URL without a scheme is none",
    Effect.gen(function* () {
      // Five retries would take 10 s.
      for (const url of ["localhost:8080", "docgauge"]) {
        const client = yield* makeClient(url)
        const failed = yield* Effect.timeout(
          Effect.flip(auditRemotely(client, { baseUrl: "https://docs.remote.dev" })),
          "9 seconds"
        )
        assert.strictEqual(failed.reason, "unreachable")
        assert.include(
          failed.message,
          `${url}/audit is not an http:// or https:// URL. Pass the service's URL with its scheme`
        )
      }
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

const MB = 1024 * 1024

const ID = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"

const UNCACHED = { "cache-control": "no-store" }

const serving = (listener: Parameters<typeof anyService>[0]) =>
  Effect.acquireRelease(
    Effect.promise(() => anyService(listener)),
    ({ stop }) => Effect.promise(stop)
  )

describe("an answer without an end", () => {
  live(
    "is read to 16 MB, once, and the failure says what to check",
    Effect.gen(function* () {
      let sent = 0
      let requests = 0
      const { url } = yield* serving((_, response) => {
        requests++
        answerForEver(response, (bytes) => {
          sent += bytes
        })
      })
      const client = yield* makeClient(url)
      const failed = yield* Effect.flip(auditRemotely(client, { baseUrl: "https://docs.remote.dev" }))
      assert.strictEqual(failed.reason, "unreachable")
      assert.strictEqual(
        failed.message,
        `The answer of ${url}/audit is longer than 16 MB, so the rest was not read. Check that this is the URL of a docgauge service.`
      )
      assert.strictEqual(requests, 1)
      // What is on its way in the buffers of both sides comes on top.
      assert.isBelow(sent, 64 * MB)
    })
  )

  live(
    "is no business of the client's where the caller reads it as a stream: an archive has any size",
    Effect.gen(function* () {
      const { url } = yield* serving((_, response) =>
        response
          .writeHead(200, { ...UNCACHED, "content-type": "application/gzip", "content-disposition": "attachment" })
          .end(Buffer.alloc(20 * MB))
      )
      const client = yield* makeClient(url)
      const archive = yield* client.getArchive({ params: { id: ID } })
      const bytes = yield* Stream.runFold(
        archive.body,
        () => 0,
        (sum, part) => sum + part.byteLength
      )
      assert.strictEqual(bytes, 20 * MB)
    })
  )
})

describe("a report of 15 MB", () => {
  live(
    "is read as any other",
    Effect.gen(function* () {
      const report = reportOf("https://docs.remote.dev")
      const [first, ...others] = report.criteria
      const long = {
        ...report,
        criteria: first === undefined ? [] : [{ ...first, summary: "x".repeat(15 * MB) }, ...others]
      }
      const run = {
        run_id: ID,
        total_score: 60,
        reliable: true,
        base_url: report.base_url,
        started_at: "2026-11-21T10:00:00.000Z",
        share_url: "/"
      }
      const { url } = yield* serving((request, response) =>
        request.method === "POST"
          ? response
              .writeHead(202, {
                ...UNCACHED,
                "content-type": "application/json",
                "x-audit-run-id": ID,
                location: `/r/${ID}`,
                link: "</>"
              })
              .end(JSON.stringify({ ...run, status: "pending", poll_url: "/" }))
          : response
              .writeHead(200, { ...UNCACHED, "content-type": "application/json" })
              .end(JSON.stringify({ ...run, status: "done", report: long }))
      )
      const client = yield* makeClient(url)
      const received = yield* auditRemotely(client, { baseUrl: "https://docs.remote.dev" })
      assert.strictEqual(received.criteria[0]?.summary.length, 15 * MB)
    })
  )
})
