import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { startService, type TestService } from "../TestService.ts"

/*
 * The public interface, sentence by sentence, under the headings of its specification. Every answer is also held against
 * our own document (TestService). What takes more than a sentence has a file of its own beside this one; what is said of
 * the engine (30 criteria, evidence, determinism) and of the MCP server is held where those are tested.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const UNKNOWN_RUN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"

interface Read {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

let service: TestService
/** Two runs of one site, the older one first, and one that failed. */
let [older, newer, failed] = ["", "", ""]

const read = async (answer: Response): Promise<Read> => {
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) }
}
const get = async (path: string, headers: Record<string, string> = {}): Promise<Read> =>
  read(await service.ask(path, { headers }))
const post = async (base_url: unknown, query = ""): Promise<Read> => read(await service.submit({ base_url }, query))
const runOf = (id: string, rest = ""): Promise<Read> => get(`/api/public/audit/${id}${rest}`)
const idOf = ({ headers }: Read): string => headers.get("x-audit-run-id") ?? ""
/** The run once it is done or in error. */
const over = async (id: string): Promise<Read> => {
  for (;;) {
    const run = await runOf(id)
    if (run.body["status"] === "done" || run.body["status"] === "error") return run
    await pause(50)
  }
}

beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  older = idOf(await post("https://docs.spec.dev"))
  newer = idOf(await post("https://docs.spec.dev"))
  failed = idOf(await post("https://failing.spec.dev", "?async=true"))
  await over(failed)
})
afterAll(() => service.stop())

describe("What the service does", () => {
  it("a synchronous audit blocks until the report is ready", async () => {
    expect((await post("https://docs.blocks.dev")).body).toMatchObject({ total_score: 60, max_score: 100 })
  })

  it("an asynchronous one returns 202 at once with a poll_url, to be polled until done or error", async () => {
    const { body, status } = await post("https://docs.polled.dev", "?async=true")
    expect(status).toBe(202)
    expect((await over(String(body["run_id"]))).body["status"]).toBe("done")
    expect(body["poll_url"]).toBe(`/api/public/audit/${String(body["run_id"])}`)
  })

  it("the servers of the contract are production and local development", async () => {
    expect((await get("/openapi.json")).body["servers"]).toContainEqual({
      url: "http://localhost:8080",
      description: "Local development"
    })
  })
})

describe("Resources and their fields", () => {
  it("AsyncAccepted has run_id, status pending, poll_url and share_url", async () => {
    const { body } = await post("https://docs.accepted.dev", "?async=true")
    const id = body["run_id"]
    expect(body).toEqual({
      run_id: expect.stringMatching(UUID),
      status: "pending",
      poll_url: `/api/public/audit/${String(id)}`,
      share_url: `/r/${String(id)}`
    })
  })

  it("Audit run has run_id and status always; total_score and report when done, the score also inside the report", async () => {
    expect((await runOf(newer)).body).toMatchObject({
      run_id: newer,
      status: "done",
      total_score: 70,
      report: { total_score: 70 }
    })
  })

  it("Audit run has error, a short safe reason, when it failed, and no report", async () => {
    const { body } = await runOf(failed)
    expect(body).toMatchObject({ run_id: failed, status: "error", error: expect.stringMatching(/^.{10,500}$/) })
    expect(Object.keys(body)).not.toContain("report")
  })

  it("Audit run is pending or running in one shape", async () => {
    const id = idOf(await post("https://held.shape.dev", "?async=true"))
    const { body } = await runOf(id)
    expect(["pending", "running"]).toContain(body["status"])
    expect(Object.keys(body).sort()).toEqual([
      "base_url",
      "poll_url",
      "progress",
      "run_id",
      "share_url",
      "started_at",
      "status"
    ])
  })

  it("AuditReport has base_url, audit_date, total_score, max_score, categories by letter and name, and criteria", async () => {
    const report = (await post("https://docs.report.dev")).body
    expect(report).toMatchObject({
      base_url: "https://docs.report.dev",
      audit_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      max_score: 100
    })
    expect(Object.keys(Object(report["categories"]))).toEqual([
      "A_discovery",
      "B_page_artifacts",
      "C_api_spec",
      "D_content",
      "E_hygiene",
      "F_agent_surface"
    ])
    for (const category of Object.values(Object(report["categories"])))
      expect(category).toMatchObject({ score: expect.any(Number), max: expect.any(Number) })
    for (const criterion of [report["criteria"]].flat()) {
      expect(criterion).toMatchObject({
        id: expect.stringMatching(/^[A-F]\d$/),
        status: expect.any(String),
        score: expect.any(Number),
        max: expect.any(Number),
        evidence_url: expect.stringMatching(/^https?:/)
      })
    }
  })

  it("HistoryPage has runs with id, started_at, total_score and status, next_cursor, base_url and base_url_norm", async () => {
    expect((await runOf(newer, "/history")).body).toEqual({
      runs: [
        {
          id: older,
          started_at: expect.stringMatching(RFC_3339),
          total_score: 60,
          reliable: true,
          rubric_digest: expect.stringMatching(/^sha256:/),
          status: "done"
        }
      ],
      next_cursor: "",
      base_url: "https://docs.spec.dev",
      base_url_norm: "docs.spec.dev"
    })
  })

  it("DiffResponse has total_delta, target minus baseline, categories by letter, criteria by id, and baseline_auto", async () => {
    const { body } = await runOf(newer, "/diff")
    expect(body).toMatchObject({
      total_delta: 10,
      baseline_auto: true,
      from_rubric: expect.stringMatching(/ \d+\.\d+\.\d+/),
      to_rubric: expect.stringMatching(/ \d+\.\d+\.\d+/)
    })
    expect([body["categories"]].flat()[0]).toEqual({ key: "A", from: 6, to: 7, delta: 1, from_max: 20, to_max: 20 })
    expect([body["criteria"]].flat()[0]).toEqual({
      key: "A1",
      from: 3,
      to: 3,
      delta: 0,
      from_max: 5,
      to_max: 5,
      from_status: "present",
      to_status: "present"
    })
  })

  it("SiteSummary and BrowseSearch have their fields", async () => {
    const { body } = await get("/api/public/browse/search?q=DOCS.SPEC")
    expect(body).toEqual({
      query: "DOCS.SPEC",
      hits: [
        {
          base_url: "docs.spec.dev",
          canonical_url: "https://docs.spec.dev",
          latest_run_id: expect.stringMatching(/^[\da-f-]{36}$/),
          reliable: true,
          run_count: 2,
          latest_run_at: expect.stringMatching(RFC_3339),
          first_run_at: expect.stringMatching(RFC_3339),
          latest_score: 70,
          best_score: 70,
          worst_score: 60,
          avg_score: 65
        }
      ]
    })
  })

  it("the error body has error and code; retry_after belongs to a 429", async () => {
    expect((await runOf(UNKNOWN_RUN)).body).toEqual({ error: expect.any(String), code: "not_found" })
  })
})

describe("Endpoints", () => {
  it("GET /openapi.yaml and /openapi.json return this contract as OpenAPI 3.1", async () => {
    const [json, yaml] = [await get("/openapi.json"), await service.ask("/openapi.yaml")]
    expect([json.headers.get("content-type"), yaml.headers.get("content-type")]).toEqual([
      "application/json",
      "application/yaml"
    ])
    expect(json.body["openapi"]).toMatch(/^3\.1\./)
    expect(parse(await yaml.text())).toEqual(json.body)
  })

  it("POST /audit, 200: X-Audit-Cache is HIT or MISS, X-Audit-Diagnostics is base64", async () => {
    const { headers } = await post("https://docs.headers.dev")
    expect(headers.get("x-audit-cache")).toMatch(/^(?:HIT|MISS)$/)
    expect(JSON.parse(Buffer.from(headers.get("x-audit-diagnostics") ?? "", "base64").toString())).toMatchObject({
      run_id: headers.get("x-audit-run-id")
    })
  })

  it("POST /audit, 303: a browser's form is led to share_url", async () => {
    const answer = await service.ask("/audit?async=true", {
      method: "POST",
      body: new URLSearchParams({ base_url: "https://docs.form.dev" })
    })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/r/${answer.headers.get("x-audit-run-id")}`])
  })

  it("POST /audit, 422: the target is unreachable", async () =>
    expect((await post("https://unreachable.spec.dev")).status).toBe(422))

  it("POST /audit, 500: an internal error", async () =>
    expect(await post("https://broken.spec.dev")).toMatchObject({ status: 500, body: { code: "internal" } }))

  it("GET /api/public/audit/{id} is never to be stored, whatever it answers", async () => {
    for (const id of [newer, failed, UNKNOWN_RUN, "no-uuid"])
      expect((await runOf(id)).headers.get("cache-control")).toBe("no-store")
  })

  it("GET …/{id}: 400 where the id is no UUID, 404 not_found where there is no run", async () => {
    expect(await runOf("no-uuid")).toMatchObject({ status: 400 })
    expect(await runOf(UNKNOWN_RUN)).toMatchObject({ status: 404, body: { code: "not_found" } })
  })

  it("GET …/history: a limit out of range is clamped and never an error", async () => {
    for (const limit of ["0", "-7", "101", "1e99", "many"])
      expect((await runOf(newer, `/history?limit=${limit}`)).status).toBe(200)
  })

  it("GET …/history: a cursor that is not RFC 3339 is 400 without code", async () =>
    expect(await runOf(newer, "/history?cursor=yesterday")).toMatchObject({
      status: 400,
      body: { error: expect.any(String) }
    }))

  it("GET …/history: the cursor of a page leads to the runs strictly older, until it is empty", async () => {
    const first = await runOf(newer, "/history?limit=1&cursor=2100-01-01T00:00:00Z")
    const second = await runOf(
      newer,
      `/history?limit=1&cursor=${encodeURIComponent(String(first.body["next_cursor"]))}`
    )
    expect([first, second].map(({ body }) => body["runs"])).toMatchObject([[{ id: newer }], [{ id: older }]])
    expect(second.body["next_cursor"]).toBe("")
  })

  it("GET …/diff: with a baseline that is named, baseline_auto is false", async () =>
    expect((await runOf(newer, `/diff?baseline=${older}`)).body).toMatchObject({
      total_delta: 10,
      baseline_auto: false
    }))

  it("GET …/diff: 400, 404 and 422 as they are told apart", async () => {
    expect(await runOf(newer, "/diff?baseline=x")).toMatchObject({ status: 400 })
    expect(await runOf(newer, `/diff?baseline=${UNKNOWN_RUN}`)).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
    expect((await runOf(older, "/diff")).body).toEqual({ error: expect.any(String) })
    expect(await runOf(failed, "/diff")).toMatchObject({ status: 422, body: { code: "not_done" } })
    for (const baseline of [newer, failed]) expect((await runOf(newer, `/diff?baseline=${baseline}`)).status).toBe(422)
  })

  it.each(["summary", "top", "stats", "search?q=spec"])(
    "GET /api/public/browse/%s returns a strong ETag, and 304 with no body where it is unchanged",
    async (path) => {
      const { headers, status } = await get(`/api/public/browse/${path}`)
      const tag = headers.get("etag") ?? ""
      expect([status, tag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)])
      const again = await service.ask(`/api/public/browse/${path}`, { headers: { "if-none-match": tag } })
      expect([again.status, await again.text()]).toEqual([304, ""])
    }
  )

  it("GET /api/public/browse/top takes window, order and limit, and has defaults for them", async () => {
    expect((await get("/api/public/browse/top")).body).toMatchObject({ window: "7d", order: "best" })
    for (const query of ["window=30d", "window=all", "order=worst", "limit=50"])
      expect((await get(`/api/public/browse/top?${query}`)).status).toBe(200)
  })

  it("GET /api/public/dashboard: 400 where slug is missing or bucket invalid, 404 not_found where there is none", async () => {
    expect((await get("/api/public/dashboard")).status).toBe(400)
    expect((await get("/api/public/dashboard?slug=none&bucket=1d")).status).toBe(400)
    expect(await get("/api/public/dashboard?slug=none&bucket=30d")).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
  })

  it("GET /audit/{id}, deprecated, is not there with a database", async () =>
    expect((await get(`/audit/${newer}`)).status).toBe(404))
})

describe("Authentication", () => {
  it("the public endpoints need no key: the document asks for none, and whatever is sent is not looked at", async () => {
    expect((await get("/openapi.json")).body["security"]).toEqual([])
    expect((await get(`/api/public/audit/${newer}`, { authorization: "Bearer nonsense" })).status).toBe(200)
  })
})

describe("Errors", () => {
  it.each([
    ["", "invalid_base_url"],
    ["no url", "invalid_base_url"],
    ["http://docs.spec.dev", "http_not_supported"],
    ["https://192.168.1.1", "not_public_address"]
  ])("400 for the base_url %j is %s", async (baseUrl, code) =>
    expect(await post(baseUrl)).toMatchObject({ status: 400, body: { code } })
  )

  it("400 for a malformed body has no code", async () =>
    expect(Object.keys((await read(await service.submit("{"))).body)).toEqual(["error"]))

  it("404 for an unknown path and 405 with Allow have their codes, too", async () => {
    expect(await get("/nowhere")).toMatchObject({ status: 404, body: { code: "not_found" } })
    const answer = await read(await service.ask("/audit", { method: "DELETE" }))
    expect([answer.status, answer.body["code"], answer.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "POST, OPTIONS"
    ])
  })
})

describe("Limits", () => {
  it("POST /audit: about one in 30 s with a burst of two, per address; a 429 has Retry-After, retry_after and the code rate_limited", async () => {
    const limited = await startService({ env: { DOCGAUGE_SUBMIT_RATE: "2/60s" } })
    const answers: Array<Read> = []
    const begun = performance.now()
    for (const name of ["a", "b", "c"])
      answers.push(await read(await limited.submit({ base_url: `https://docs.${name}-limited.dev` })))
    const seconds = (performance.now() - begun) / 1_000
    await limited.stop()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    const [, , { body, headers } = { body: {}, headers: new Headers() }] = answers
    expect(body).toMatchObject({ code: "rate_limited", retry_after: Number(headers.get("retry-after")) })
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(30 - seconds - 1)
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(30)
  })

  it("POST /audit: once per 24 h per client and base_url; site_quota names the run to read instead", async () => {
    const limited = await startService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_TARGET_WINDOW: "off" } })
    const first = await read(await limited.submit({ base_url: "https://docs.quota.dev" }))
    const second = await read(await limited.submit({ base_url: "https://docs.quota.dev" }))
    await limited.stop()
    expect(second).toMatchObject({
      status: 429,
      body: { code: "site_quota", run_id: idOf(first), share_url: `/r/${idOf(first)}` }
    })
  })

  it("reads: a burst of 30, browse: a burst of 20, each for itself", async () => {
    const limited = await startService({ env: { DOCGAUGE_POLL_RATE: "30/30s", DOCGAUGE_BROWSE_RATE: "20/4s" } })
    const burst = async (path: string): Promise<{ readonly taken: number; readonly seconds: number }> => {
      const begun = performance.now()
      const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(limited.url + path)))
      return {
        taken: answers.filter(({ status }) => status !== 429).length,
        seconds: (performance.now() - begun) / 1_000
      }
    }
    const [polls, browses] = [
      await burst(`/api/public/audit/${UNKNOWN_RUN}`),
      await burst("/api/public/browse/summary")
    ]
    await limited.stop()
    // Tokens come back meanwhile: one a second, and five a second.
    expect(polls.taken).toBeGreaterThanOrEqual(30)
    expect(polls.taken).toBeLessThanOrEqual(30 + Math.ceil(polls.seconds))
    expect(browses.taken).toBeGreaterThanOrEqual(20)
    expect(browses.taken).toBeLessThanOrEqual(20 + Math.ceil(5 * browses.seconds))
  })
})

describe("Versioning", () => {
  it("the contract is v2.34.0", async () =>
    expect((await get("/openapi.json")).body["info"]).toMatchObject({ version: "v2.34.0" }))
})
