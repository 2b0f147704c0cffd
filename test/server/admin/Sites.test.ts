import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type AdminTestService, eventually, startAdminService } from "./AdminService.ts"

let service: AdminTestService
beforeEach(async () => {
  service = await startAdminService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_CONCURRENT_AUDITS: "1" } })
})
afterEach(() => service.stop())

const post = async (url: string, query = ""): Promise<readonly [number, unknown]> => {
  const answer = await service.submit({ base_url: url }, query)
  return [answer.status, await answer.json()]
}

const idIn = (body: unknown): string => (body as { readonly run_id: string }).run_id

const run = async (id: string): Promise<readonly [number, unknown]> => {
  const answer = await service.ask(`/api/public/audit/${id}`)
  return [answer.status, await answer.json()]
}

const REFUSED = [422, { error: expect.stringContaining("blocked"), code: "audit_failed" }]

describe("a blocked site", () => {
  it("is not audited, nor is anything below it; a sibling still is", async () => {
    expect(
      await service.admin("POST", "/sites/block", { site: "https://www.docs.dev/", reason: "asked by mail" })
    ).toMatchObject({
      status: 200,
      body: {
        blocked: { site: "docs.dev", reason: "asked by mail", blocked_at: expect.stringMatching(/Z$/) },
        ended: 0
      }
    })
    expect(await post("https://docs.dev")).toEqual(REFUSED)
    expect(await post("https://docs.dev/api/v2")).toEqual(REFUSED)
    expect(await post("https://docs.dev", "?async=true")).toEqual(REFUSED)
    expect(await service.admin("POST", "/runs", { base_url: "https://docs.dev" })).toMatchObject({
      status: 422,
      body: { code: "audit_failed" }
    })
    expect((await post("https://api.docs.dev"))[0]).toBe(200)
    expect(await service.viewer("GET", "/sites/blocked")).toMatchObject({
      body: { sites: [{ site: "docs.dev" }], next_cursor: "" }
    })
    expect(await service.admin("POST", "/sites/unblock", { site: "docs.dev" })).toMatchObject({ status: 200 })
    expect((await post("https://docs.dev"))[0]).toBe(200)
    expect(await service.admin("POST", "/sites/unblock", { site: "docs.dev" })).toMatchObject({ status: 404 })
  })

  it("is not audited under another spelling of its name either", async () => {
    await service.admin("POST", "/sites/block", { site: "docs.dev" })
    for (const spelling of [
      "https://docs.dev.",
      "https://docs.dev..",
      "https://docs.dev.../api",
      "https://DOCS.dev..//",
      "https://www.docs.dev..",
      "https://docs.dev//index.html"
    ]) {
      expect([spelling, ...(await post(spelling))]).toEqual([spelling, ...REFUSED])
    }
  })

  it("is no longer returned from the cache, though its report stays", async () => {
    const answer = await service.submit({ base_url: "https://docs.dev" })
    const id = answer.headers.get("x-audit-run-id") ?? ""
    expect((await service.submit({ base_url: "https://docs.dev" })).headers.get("x-audit-cache")).toBe("HIT")
    await service.admin("POST", "/sites/block", { site: "docs.dev" })
    expect(await post("https://docs.dev")).toEqual(REFUSED)
    expect((await run(id))[0]).toBe(200)
  })

  it("ends its pending and running audits, which then do not count against the quota", async () => {
    const [, running] = await post("https://held.docs.dev", "?async=true")
    await eventually(
      () => run(idIn(running)),
      ([, body]) => (body as { readonly status: string }).status === "running"
    )
    const [, pending] = await post("https://held.docs.dev/v2", "?async=true")
    const waiting = post("https://held.docs.dev/v3")
    await eventually(
      () => service.viewer("GET", "/runs?status=pending"),
      ({ body }) => (body as { readonly runs: ReadonlyArray<unknown> }).runs.length === 2
    )
    expect(await service.admin("POST", "/sites/block", { site: "held.docs.dev" })).toMatchObject({ body: { ended: 3 } })
    for (const body of [running, pending])
      expect(await run(idIn(body))).toMatchObject([200, { status: "error", code: "audit_failed" }])
    expect(await waiting).toEqual(REFUSED)
    await service.admin("POST", "/sites/unblock", { site: "held.docs.dev" })
    const [status] = await post("https://held.docs.dev/v2", "?async=true")
    expect(status, "its quota was given back").toBe(202)
    service.auditor.release()
  })

  it.each(["", "docs", "https://", "docs.dev?x=1", "a b.dev", "https://u@docs.dev"])(
    "has a name: not %j",
    async (site) => {
      expect(await service.admin("POST", "/sites/block", { site })).toMatchObject({ status: 400 })
    }
  )
})

describe("a take-down", () => {
  it("deletes runs, figures and archives of the site and all below it, and blocks it", async () => {
    const browse = async () =>
      Promise.all(
        ["summary", "stats", "top?window=all", "search?q=dev"].map(async (path) =>
          (await service.ask(`/api/public/browse/${path}`)).json()
        )
      )
    await post("https://stays.dev")
    const before = await browse()
    const ids = []
    for (const path of ["", "/v1", "/v2"])
      ids.push((await service.submit({ base_url: `https://leaves.dev${path}` })).headers.get("x-audit-run-id") ?? "")
    const hidden = ids[2] ?? ""
    await service.admin("POST", `/runs/${hidden}/hide`)
    for (const id of ids) expect((await run(id))[0]).toBe(200)
    expect(await service.admin("POST", "/sites/takedown", { site: "leaves.dev", reason: "letter" })).toMatchObject({
      status: 200,
      body: { deleted: 3, blocked: { site: "leaves.dev" } }
    })
    expect(await browse()).toEqual(before)
    for (const id of ids) {
      expect((await run(id))[0]).toBe(404)
      expect((await service.ask(`/api/public/audit/${id}/archive`)).status).toBe(404)
    }
    expect(await post("https://leaves.dev/v1")).toEqual(REFUSED)
    expect(await service.viewer("GET", "/runs?site=leaves.dev")).toMatchObject({ body: { runs: [] } })
    expect(await service.viewer("GET", "/log?limit=2")).toMatchObject({
      body: {
        entries: [
          { action: "site.delete", subject: "leaves.dev", before: "3 runs" },
          { action: "site.takedown", before: "not blocked", after: "blocked: letter" }
        ]
      }
    })
  })

  it("ends waiting requests, and leaves nothing of a running audit", async () => {
    const waiting = post("https://held.leaves.dev")
    await eventually(
      () => service.viewer("GET", "/runs?status=running"),
      ({ body }) => (body as { readonly runs: ReadonlyArray<unknown> }).runs.length === 1
    )
    expect(await service.admin("POST", "/sites/takedown", { site: "held.leaves.dev" })).toMatchObject({
      body: { deleted: 1 }
    })
    const [status, body] = await waiting
    expect([status, body]).toMatchObject([422, { code: "audit_failed" }])
    service.auditor.release()
    await post("https://other.dev")
    expect(await service.viewer("GET", "/runs?site=held.leaves.dev")).toMatchObject({ body: { runs: [] } })
  })
})
