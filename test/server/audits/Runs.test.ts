import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

const UNKNOWN_RUN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
})
afterAll(() => service.stop())

/** Audits a site and gives the run's id. */
const audited = async (host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` })
  return answer.headers.get("x-audit-run-id") ?? ""
}

interface Body {
  readonly status?: string
  readonly started_at?: string
  readonly next_cursor?: string
  readonly runs?: ReadonlyArray<{ readonly id: string; readonly started_at: string; readonly status: string }>
  readonly categories?: ReadonlyArray<unknown>
  readonly criteria?: ReadonlyArray<unknown>
  readonly run_id?: string
}

const json = async (path: string): Promise<{ status: number; body: Body }> => {
  const answer = await service.ask(path)
  const body: Body = JSON.parse(await answer.text())
  return { status: answer.status, body }
}

describe("GET /api/public/audit/{id}", () => {
  it("has total_score and report when done, and no-store", async () => {
    const id = await audited("docs.run-one.dev")
    const answer = await service.ask(`/api/public/audit/${id}`)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(await answer.json()).toMatchObject({
      run_id: id,
      status: "done",
      total_score: 60,
      report: { total_score: 60, base_url: "https://docs.run-one.dev" }
    })
  })

  it("has the progress of a run while it is pending or running", async () => {
    const { run_id } = (await (
      await service.submit({ base_url: "https://held.run-two.dev" }, "?async=true")
    ).json()) as { run_id: string }
    const { body } = await json(`/api/public/audit/${run_id}`)
    expect(body).toMatchObject({
      run_id,
      base_url: "https://held.run-two.dev",
      progress: { done: 0 },
      poll_url: `/api/public/audit/${run_id}`,
      share_url: `/r/${run_id}`
    })
    expect(["pending", "running"]).toContain(body.status)
    expect(body.started_at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  })

  it("has a short safe error, and the code beside it, when the audit failed", async () => {
    const { headers } = await service.submit({ base_url: "https://failing.run-three.dev" }, "?async=true")
    const path = `/api/public/audit/${headers.get("x-audit-run-id")}`
    await expect
      .poll(async () => (await json(path)).body)
      .toMatchObject({ status: "error", code: "audit_failed", error: expect.stringContaining("403") })
  })

  it("omits the code if the site could not be reached", async () => {
    const { headers } = await service.submit({ base_url: "https://unreachable.run-four.dev" }, "?async=true")
    const path = `/api/public/audit/${headers.get("x-audit-run-id")}`
    await expect.poll(async () => (await json(path)).body.status).toBe("error")
    expect((await json(path)).body).not.toHaveProperty("code")
  })

  it("accepts an id in upper case", async () => {
    const id = await audited("docs.run-five.dev")
    expect((await json(`/api/public/audit/${id.toUpperCase()}`)).body.run_id).toBe(id)
  })

  it("answers 404 not_found with no-store for an unknown run", async () => {
    const answer = await service.ask(`/api/public/audit/${UNKNOWN_RUN}`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }])
    expect(answer.headers.get("cache-control")).toBe("no-store")
  })
})

describe("GET /api/public/audit/{id}/history", () => {
  it("lists runs strictly older than the anchor, newest first, page by page", async () => {
    const ids = []
    for (let run = 0; run < 5; run++) ids.push(await audited("www.history.dev"))
    const [oldest, ...rest] = ids
    const anchor = rest.at(-1)
    const first = (await json(`/api/public/audit/${anchor}/history?limit=2`)).body
    expect(first.runs?.map(({ id }) => id)).toEqual([ids[3], ids[2]])
    expect(first).toMatchObject({ base_url: "https://www.history.dev", base_url_norm: "history.dev" })
    const second = (
      await json(`/api/public/audit/${anchor}/history?limit=2&cursor=${encodeURIComponent(first.next_cursor ?? "")}`)
    ).body
    expect(second.runs?.map(({ id }) => id)).toEqual([ids[1], oldest])
    expect(second.next_cursor).toBe("")
    expect(second.runs?.[0]).toEqual({
      id: ids[1],
      started_at: expect.any(String),
      total_score: 70,
      reliable: true,
      rubric_digest: expect.stringMatching(/^sha256:/),
      status: "done"
    })
  })

  it("starts with the anchor itself only if a later cursor is given", async () => {
    const id = await audited("docs.cursor.dev")
    expect((await json(`/api/public/audit/${id}/history`)).body.runs).toEqual([])
    expect((await json(`/api/public/audit/${id}/history?cursor=2999-01-01T00:00:00Z`)).body.runs).toHaveLength(1)
  })

  it("includes runs without a score", async () => {
    await service.submit({ base_url: "https://failing.scoreless.dev" })
    const { headers } = await service.submit({ base_url: "https://failing.scoreless.dev" }, "?async=true")
    const { body } = await json(`/api/public/audit/${headers.get("x-audit-run-id")}/history`)
    expect(body.runs?.[0]?.status).toBe("error")
    expect(body.runs?.[0]).not.toHaveProperty("total_score")
  })

  it.each(["0", "-1", "1e9", "NaN", "", "abc", "1.5", "99999999999999999999", "1&limit=2", " 3 ", "0x10"])(
    "never refuses limit=%s",
    async (limit) => {
      const id = await audited("docs.limits.dev")
      expect((await json(`/api/public/audit/${id}/history?limit=${limit}`)).status).toBe(200)
    }
  )

  it.each([
    ["1969-12-31T23:59:59Z", 200],
    ["2026-11-20T08:15:30.123456789Z", 200],
    ["2026-11-20T08:15:30%2B02:00", 200],
    ["2026-11-20t08:15:30z", 200],
    ["2026-11-20T08:15:30+02:00", 400],
    ["2026-11-20", 400],
    ["2026-13-01T00:00:00Z", 400],
    ["2026-02-30T00:00:00Z", 400],
    ["yesterday", 400],
    ["", 400],
    ["1732090530", 400],
    ["2026-11-20T08:15:30Z&cursor=2026-11-20T08:15:30Z", 400]
  ])("answers cursor=%s with %i", async (cursor, status) => {
    const id = await audited("docs.cursors.dev")
    const answer = await json(`/api/public/audit/${id}/history?cursor=${cursor}`)
    expect(answer.status).toBe(status)
    expect(answer.body).not.toHaveProperty("code")
  })

  it("answers 404 not_found for an unknown run", async () => {
    expect(await json(`/api/public/audit/${UNKNOWN_RUN}/history`)).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
  })
})

describe("GET /api/public/audit/{id}/diff", () => {
  it("compares with the site's most recent earlier done run by default", async () => {
    await audited("docs.diff.dev")
    await service.submit({ base_url: "https://docs.diff.dev" })
    const target = await audited("docs.diff.dev")
    const { body } = await json(`/api/public/audit/${target}/diff`)
    expect(body).toMatchObject({ total_delta: 10, baseline_auto: true })
    expect(body.categories).toHaveLength(6)
    expect(body.categories?.[0]).toEqual({ key: "A", from: 7, to: 8, delta: 1, from_max: 20, to_max: 20 })
    expect(body.criteria?.[1]).toEqual({
      key: "D3",
      from: 3,
      to: 4,
      delta: 1,
      from_max: 5,
      to_max: 5,
      from_status: "present",
      to_status: "present"
    })
  })

  it("compares with a given baseline", async () => {
    const first = await audited("docs.named.dev")
    await audited("docs.named.dev")
    const target = await audited("docs.named.dev")
    expect((await json(`/api/public/audit/${target}/diff?baseline=${first}`)).body).toMatchObject({
      total_delta: 20,
      baseline_auto: false
    })
  })

  it("answers 404 without code if no earlier done run exists", async () => {
    const id = await audited("docs.first.dev")
    const { body, status } = await json(`/api/public/audit/${id}/diff`)
    expect(status).toBe(404)
    expect(body).not.toHaveProperty("code")
  })

  it("answers 422 not_done if the target is not done", async () => {
    const { headers } = await service.submit({ base_url: "https://held.notdone.dev" }, "?async=true")
    expect(await json(`/api/public/audit/${headers.get("x-audit-run-id")}/diff`)).toMatchObject({
      status: 422,
      body: { code: "not_done" }
    })
  })

  it("answers 422 without code for a baseline that is the same run, of another site, or not done", async () => {
    const target = await audited("docs.baselines.dev")
    const other = await audited("docs.elsewhere.dev")
    const failed = (await service.submit({ base_url: "https://failing.baselines.dev" }, "?async=true")).headers.get(
      "x-audit-run-id"
    )
    for (const baseline of [target, other, failed]) {
      const { body, status } = await json(`/api/public/audit/${target}/diff?baseline=${baseline}`)
      expect([status, "code" in body]).toEqual([422, false])
    }
  })

  it("answers 404 not_found for an unknown run or baseline, and 400 for an invalid UUID", async () => {
    const target = await audited("docs.missing.dev")
    expect(await json(`/api/public/audit/${UNKNOWN_RUN}/diff`)).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
    expect(await json(`/api/public/audit/${target}/diff?baseline=${UNKNOWN_RUN}`)).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
    expect((await json(`/api/public/audit/${target}/diff?baseline=7`)).status).toBe(400)
    expect((await json(`/api/public/audit/${target}/diff?baseline=`)).status).toBe(400)
  })
})

describe("GET /api/public/audit/{id}/archive", () => {
  it("sends the run's archive as a file", async () => {
    const id = await audited("docs.archive.dev")
    const answer = await service.ask(`/api/public/audit/${id}/archive`)
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${id}.warc.gz"`)
    expect(await answer.text()).toBe("archive of https://docs.archive.dev")
  })

  it("sends the archive of a run without a report", async () => {
    const body = JSON.parse(
      await (await service.submit({ base_url: "https://failing.proved.dev" }, "?async=true")).text()
    )
    const id = String(body["run_id"])
    await expect.poll(async () => (await json(`/api/public/audit/${id}`)).body["status"]).toBe("error")
    expect(await (await service.ask(`/api/public/audit/${id}/archive`)).text()).toBe(
      "archive of https://failing.proved.dev"
    )
  })

  it("answers 404 not_found once retention deleted it", async () => {
    const first = await audited("docs.dropped.dev")
    await audited("docs.dropped.dev")
    await audited("docs.dropped.dev")
    expect(await json(`/api/public/audit/${first}/archive`)).toMatchObject({ status: 404, body: { code: "not_found" } })
  })
})

describe("ids that are not UUIDs", () => {
  it.each([
    "1",
    "xyz",
    "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0",
    "g1934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
    "%00",
    "..%2f..",
    "x".repeat(3_000),
    "01934f7a1c2d7e3f8a4b5c6d7e8f9a0b",
    "%F0%9F%98%80"
  ])("answers 400 without code for %s", async (id) => {
    for (const path of ["", "/history", "/diff", "/archive"]) {
      const { body, status } = await json(`/api/public/audit/${id}${path}`)
      expect([status, "code" in body]).toEqual([400, false])
    }
  })

  it.each(["7b5b1b4a-0f0e-4b0a-9c1d-2e3f4a5b6c7d", "00000000-0000-0000-0000-000000000000"])(
    "answers 404 for %s, of another version",
    async (id) => {
      expect((await json(`/api/public/audit/${id}`)).status).toBe(404)
    }
  )
})
