import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AdminTestService, eventually, startAdminService } from "./AdminService.ts"

let service: AdminTestService
const folder = mkdtempSync(join(tmpdir(), "docgauge-admin-"))
beforeAll(async () => {
  service = await startAdminService({
    env: {
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      DOCGAUGE_SITE_QUOTA: "1/24h",
      DOCGAUGE_RESOLVE: "*:443:127.0.0.1:9,*:8081:127.0.0.1:9"
    }
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const audit = async (url: string): Promise<string> =>
  (await service.submit({ base_url: url })).headers.get("x-audit-run-id") ?? ""

const jsonAt = async (path: string): Promise<readonly [number, unknown]> => {
  const answer = await service.ask(path)
  return [answer.status, await answer.json()]
}

const run = (id: string) => jsonAt(`/api/public/audit/${id}`)

const corpus = async () =>
  Promise.all(["summary", "stats", "top?window=all", "search?q=e"].map((path) => jsonAt(`/api/public/browse/${path}`)))

const archives = (): ReadonlyArray<string> =>
  readdirSync(join(folder, "archives"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".gz"))
    .map((name) => basename(name).slice(0, 36))

const idIn = (body: unknown): string => (body as { readonly run_id: string }).run_id

const done = (id: string) =>
  eventually(
    () => run(id),
    ([, body]) => (body as { readonly status?: string }).status === "done"
  )

describe("runs", () => {
  it("are listed by site and status, newest first, page by page", async () => {
    const ids = [
      await audit("https://one.list.dev"),
      await audit("https://two.list.dev"),
      await audit("https://two.list.dev/v2")
    ]
    expect(await service.viewer("GET", "/runs?site=https://two.list.dev/")).toMatchObject({
      status: 200,
      body: {
        runs: [
          { run_id: ids[2], site: "two.list.dev/v2", status: "done", hidden: false, attempts: 1 },
          { run_id: ids[1] }
        ],
        next_cursor: ""
      }
    })
    const first = await service.viewer("GET", "/runs?limit=2&status=done")
    const { next_cursor: cursor } = first.body as { readonly next_cursor: string }
    expect(await service.viewer("GET", `/runs?limit=1&status=done&cursor=${cursor}`)).toMatchObject({
      body: { runs: [{ run_id: ids[0] }] }
    })
    expect(await service.viewer("GET", "/runs?status=error&site=list.dev")).toMatchObject({ body: { runs: [] } })
    for (const query of ["status=lost", "cursor=x", "site=%20", "hidden=perhaps"])
      expect((await service.viewer("GET", `/runs?${query}`)).status, query).toBe(400)
  })

  it("are audited again past window and quota; a running one is joined", async () => {
    const id = await audit("https://again.dev")
    expect(await audit("https://again.dev"), "a guest gets the same").toBe(id)
    const again = await service.admin("POST", `/runs/${id}/audit`)
    expect(again).toMatchObject({ status: 202, body: { joined: false } })
    expect(idIn(again.body)).not.toBe(id)
    await done(idIn(again.body))
    const held = await service.admin("POST", "/runs", { base_url: "https://held.again.dev" })
    expect(await service.admin("POST", "/runs", { base_url: "https://held.again.dev/" })).toMatchObject({
      status: 202,
      body: { run_id: idIn(held.body), joined: true }
    })
    service.auditor.release()
    await done(idIn(held.body))
    expect(await service.viewer("POST", `/runs/${id}/audit`)).toMatchObject({ status: 403 })
  })

  it("of http: URLs are for operators only", async () => {
    expect(await service.submit({ base_url: "http://plain.dev" }).then(({ status }) => status)).toBe(400)
    const { body, status } = await service.admin("POST", "/runs", { base_url: "http://plain.dev:8081/docs" })
    expect(status).toBe(202)
    expect(await done(idIn(body))).toMatchObject([200, { base_url: "http://plain.dev:8081/docs" }])
    expect(await service.admin("POST", "/runs", { base_url: "https://127.0.0.1" })).toMatchObject({
      status: 400,
      body: { code: "not_public_address" }
    })
    expect(await service.admin("POST", "/runs", { base_url: "ftp://x.dev" })).toMatchObject({
      status: 400,
      body: { code: "invalid_base_url" }
    })
  })

  it("that are hidden or deleted are removed from the corpus", async () => {
    await audit("https://kept.figures.dev")
    const before = await corpus()
    const id = await audit("https://gone90.figures.dev")
    const during = await corpus()
    expect(during).not.toEqual(before)
    expect(await service.admin("POST", `/runs/${id}/hide`)).toMatchObject({ status: 200, body: { hidden: true } })
    expect(await corpus()).toEqual(before)
    expect(await run(id)).toMatchObject([200, { status: "done" }])
    expect(await service.admin("POST", `/runs/${id}/show`)).toMatchObject({ status: 200, body: { hidden: false } })
    expect(await corpus()).toEqual(during)
    expect(archives()).toContain(id)
    expect(await service.admin("DELETE", `/runs/${id}`)).toMatchObject({ status: 204 })
    expect(await corpus()).toEqual(before)
    expect(await run(id), "though it was read a moment ago").toMatchObject([404, { code: "not_found" }])
    expect((await service.ask(`/api/public/audit/${id}/archive`)).status).toBe(404)
    await eventually(
      () => Promise.resolve(archives()),
      (names) => !names.includes(id)
    )
    expect(await service.admin("DELETE", `/runs/${id}`)).toMatchObject({ status: 404 })
  })

  it("that are hidden are removed from the figures of dashboards", async () => {
    await service.admin("POST", "/dashboards", {
      slug: "all",
      title: "All",
      public: true,
      definition: { widgets: [{ kind: "corpus", title: "All" }] }
    })
    const sites = () =>
      eventually(
        () => jsonAt("/api/public/dashboard?slug=all"),
        ([status]) => status === 200
      )
    const before = await sites()
    const id = await audit("https://dashed.dev")
    await service.admin("POST", `/runs/${id}/hide`)
    const [, after] = await sites()
    expect(after).toMatchObject({ widgets: (before[1] as { readonly widgets: unknown }).widgets })
    await service.admin("POST", `/runs/${id}/show`)
    expect((await sites())[1]).not.toMatchObject({ widgets: (before[1] as { readonly widgets: unknown }).widgets })
  })

  it("that are hidden or deleted are not returned from the cache, nor named in refusals", async () => {
    const id = await audit("https://replayed.dev")
    expect(await audit("https://replayed.dev")).toBe(id)
    await service.admin("POST", `/runs/${id}/hide`)
    const refused = await service.submit({ base_url: "https://replayed.dev" })
    expect(refused.status, "no replay: the quota speaks").toBe(429)
    await service.admin("DELETE", `/runs/${id}`)
    const fresh = await audit("https://replayed.dev")
    expect(fresh).not.toBe(id)
    expect(fresh).not.toBe("")
  })

  it("that have not finished cannot be deleted", async () => {
    const { body } = await service.admin("POST", "/runs", { base_url: "https://stepping.dev" })
    expect(await service.admin("DELETE", `/runs/${idIn(body)}`)).toMatchObject({
      status: 409,
      body: { code: "under_way" }
    })
    await done(idIn(body))
  })

  it("that are unknown get 404, and invalid ids 400", async () => {
    for (const [method, path] of [
      ["POST", "/hide"],
      ["POST", "/show"],
      ["POST", "/audit"],
      ["DELETE", ""]
    ] as const) {
      expect((await service.admin(method, `/runs/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b${path}`)).status).toBe(404)
      expect((await service.admin(method, `/runs/7${path}`)).status).toBe(400)
    }
  })

  it("changes are in the log", async () => {
    const { body } = await service.viewer("GET", "/log?limit=200")
    const actions = new Set(
      (body as { readonly entries: ReadonlyArray<{ readonly action: string }> }).entries.map(({ action }) => action)
    )
    expect([...actions].sort()).toEqual(["dashboard.create", "run.audit", "run.delete", "run.hide", "run.show"])
  })
})
