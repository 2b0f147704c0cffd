import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AdminTestService, eventually, startAdminService } from "./AdminService.ts"
import { operationsOf, problemsOf } from "./DocumentCheck.ts"

let service: AdminTestService
beforeAll(async () => {
  service = await startAdminService()
})
afterAll(() => service.stop())

const corpus = (title: string) => ({ widgets: [{ kind: "corpus", title }] })

const read = async (slug: string): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await service.ask(`/api/public/dashboard?slug=${slug}`)
  return { status: answer.status, body: await answer.json() }
}

const ready = (slug: string) =>
  eventually(
    () => read(slug),
    ({ status }) => status === 200
  )

describe("dashboards", () => {
  it("are created, read, changed and deleted", async () => {
    const created = { slug: "acme", title: "Acme", public: false, definition: corpus("All") }
    expect(
      await service.admin("POST", "/dashboards", { slug: "acme", title: "Acme", definition: corpus("All") })
    ).toMatchObject({ status: 201, body: created })
    expect(await service.viewer("GET", "/dashboards/acme")).toMatchObject({ status: 200, body: created })
    expect(await service.viewer("GET", "/dashboards")).toMatchObject({ status: 200, body: { dashboards: [created] } })
    expect(await service.admin("POST", "/dashboards", { ...created })).toMatchObject({
      status: 409,
      body: { code: "exists" }
    })
    const changed = { ...created, title: "Acme Inc.", definition: corpus("Everything") }
    expect(
      await service.admin("PUT", "/dashboards/acme", { title: changed.title, definition: changed.definition })
    ).toMatchObject({ status: 200, body: changed })
    expect(await service.admin("DELETE", "/dashboards/acme")).toMatchObject({ status: 204 })
    for (const [method, path, body] of [
      ["GET", "/dashboards/acme"],
      ["DELETE", "/dashboards/acme"],
      ["PUT", "/dashboards/acme", { title: "A", definition: corpus("B") }],
      ["POST", "/dashboards/acme/publish"]
    ] as const) {
      expect(await service.admin(method, path, body)).toMatchObject({ status: 404, body: { code: "not_found" } })
    }
  })

  it("have 20 widgets at most, and titles of 200 characters", async () => {
    const widgetsOf = (count: number, title = "All") => ({
      widgets: Array.from({ length: count }, () => ({ kind: "corpus", title }))
    })
    const create = (slug: string, definition: unknown) =>
      service.admin("POST", "/dashboards", { slug, title: "Large", definition })
    expect(await create("most", widgetsOf(20, "A".repeat(200)))).toMatchObject({ status: 201 })
    expect(await create("too-many", widgetsOf(21))).toMatchObject({ status: 400 })
    expect(await create("too-long", widgetsOf(1, "A".repeat(201)))).toMatchObject({ status: 400 })
  })

  it("can be read while they are published", async () => {
    await service.admin("POST", "/dashboards", { slug: "shown", title: "Shown", definition: corpus("All") })
    expect(await read("shown")).toMatchObject({ status: 403 })
    expect(await service.admin("POST", "/dashboards/shown/publish")).toMatchObject({
      status: 200,
      body: { public: true }
    })
    expect(await ready("shown")).toMatchObject({ body: { title: "Shown" } })
    expect(await service.admin("POST", "/dashboards/shown/unpublish")).toMatchObject({
      status: 200,
      body: { public: false }
    })
    expect(await read("shown")).toMatchObject({ status: 403 })
  })

  it("that are changed are computed again", async () => {
    await service.admin("POST", "/dashboards", {
      slug: "changing",
      title: "Old",
      public: true,
      definition: corpus("Old")
    })
    await ready("changing")
    await service.admin("PUT", "/dashboards/changing", { title: "New", definition: corpus("Old") })
    expect(await ready("changing")).toMatchObject({ body: { title: "New" } })
    await service.admin("PUT", "/dashboards/changing", { title: "New", definition: corpus("New") })
    expect(await ready("changing")).toMatchObject({ body: { widgets: [{ title: "New" }] } })
  })

  it.each(["Acme", "a b", "-a", "a-", "", "a/b", "ä", "a".repeat(101)])(
    "have a slug that fits an address: not %j",
    async (slug) => {
      expect(await service.admin("POST", "/dashboards", { slug, title: "X", definition: corpus("X") })).toMatchObject({
        status: 400
      })
    }
  )
})

describe("the log", () => {
  it("lists who changed what, before and after, page by page", async () => {
    await service.admin("POST", "/dashboards", { slug: "logged", title: "One", definition: corpus("All") })
    await service.admin("PUT", "/dashboards/logged", { title: "Two", definition: corpus("All") })
    await service.admin("DELETE", "/dashboards/logged")
    const first = await service.viewer("GET", "/log?limit=2")
    expect(first).toMatchObject({
      status: 200,
      body: {
        entries: [
          {
            who: "ada",
            action: "dashboard.delete",
            subject: "logged",
            before: expect.stringContaining("Two"),
            after: null
          },
          {
            who: "ada",
            action: "dashboard.change",
            subject: "logged",
            before: expect.stringContaining("One"),
            after: expect.stringContaining("Two")
          }
        ]
      }
    })
    const { next_cursor: cursor } = first.body as { readonly next_cursor: string }
    expect(await service.viewer("GET", `/log?limit=1&cursor=${cursor}`)).toMatchObject({
      body: { entries: [{ action: "dashboard.create", subject: "logged", before: null }] }
    })
    expect(await service.viewer("GET", "/log?limit=200")).toMatchObject({ body: { next_cursor: "" } })
    expect(await service.viewer("GET", "/log?cursor=yesterday")).toMatchObject({ status: 400 })
  })

  it("omits refused changes", async () => {
    const before = await service.admin("GET", "/log?limit=1")
    await service.admin("DELETE", "/dashboards/nowhere")
    await service.viewer("POST", "/dashboards", { slug: "no", title: "No", definition: corpus("No") })
    expect((await service.admin("GET", "/log?limit=1")).body).toEqual(before.body)
  })
})

describe("the document of the admin API", () => {
  it("is OpenAPI 3.1, requires a token everywhere, and describes every operation", async () => {
    const { body } = await service.viewer("GET", "/openapi.json")
    expect(await problemsOf(body)).toEqual([])
    const bare = operationsOf(body).filter(
      ({ operation }) => operation["summary"] === undefined || operation["description"] === undefined
    )
    expect(bare.map(({ name }) => name)).toEqual([])
    for (const { name, operation } of operationsOf(body)) {
      expect(Object.keys(operation["responses"] as object), name).toEqual(expect.arrayContaining(["401", "403", "503"]))
    }
  })

  it("is not part of the public one", async () => {
    expect(await (await service.ask("/openapi.json")).text()).not.toContain("/api/admin")
    expect((await fetch(`${service.url}/api/admin/openapi.json`)).status).toBe(401)
  })
})
