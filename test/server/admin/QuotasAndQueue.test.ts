import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ownPostgres, postgres } from "../../store/Databases.ts"
import { type AdminTestService, eventually, startAdminService } from "./AdminService.ts"

const idIn = (body: unknown): string => (body as { readonly run_id: string }).run_id

describe("quotas", () => {
  let service: AdminTestService
  beforeAll(async () => {
    service = await startAdminService({
      env: {
        DOCGAUGE_SUBMIT_RATE: "2/60s",
        DOCGAUGE_SITE_QUOTA: "1/24h",
        DOCGAUGE_HOST_BUDGET: "200/1h",
        DOCGAUGE_TARGET_WINDOW: "off"
      }
    })
  })
  afterAll(() => service.stop())

  const submit = async (url: string): Promise<number> => (await service.submit({ base_url: url })).status

  it("are read and reset: submissions, a site, a domain", async () => {
    expect(await service.viewer("GET", "/quotas/submit?client=127.0.0.1")).toMatchObject({
      status: 200,
      body: { subject: "submit 127.0.0.1", standing: { limit: 2, window_seconds: 60, remaining: 2 } }
    })
    expect([
      await submit("https://a.quota.dev"),
      await submit("https://a.quota.dev"),
      await submit("https://b.quota.dev")
    ]).toEqual([200, 429, 429])
    expect(await service.viewer("GET", "/quotas/submit?client=127.0.0.1")).toMatchObject({
      body: { standing: { remaining: 0 } }
    })
    expect(await service.admin("DELETE", "/quotas/submit?client=127.0.0.1")).toMatchObject({
      status: 200,
      body: { standing: { remaining: 2 } }
    })

    expect(await submit("https://a.quota.dev"), "the site quota still stands").toBe(429)
    expect(await service.viewer("GET", "/quotas/site?client=127.0.0.9&site=https://www.a.quota.dev/")).toMatchObject({
      body: { subject: "site 127.0.0.0/24 a.quota.dev", standing: { limit: 1, remaining: 0 } }
    })
    expect(await service.admin("DELETE", "/quotas/site?client=127.0.0.9&site=a.quota.dev")).toMatchObject({
      body: { standing: { remaining: 1 } }
    })

    expect(await submit("https://a.quota.dev"), "the budget of the domain still stands").toBe(429)
    expect(await service.viewer("GET", "/quotas/host?domain=b.quota.dev")).toMatchObject({
      body: { subject: "host quota.dev", standing: { limit: 200 } }
    })
    expect(await service.admin("DELETE", "/quotas/host?domain=quota.dev")).toMatchObject({
      body: { standing: { remaining: 200 } }
    })
    await service.admin("DELETE", "/quotas/submit?client=127.0.0.1")
    expect(await submit("https://a.quota.dev")).toBe(200)
  })

  it("do not apply to operators", async () => {
    for (const path of ["", "/v1", "/v2"])
      expect((await service.admin("POST", "/runs", { base_url: `https://spent.dev${path}` })).status).toBe(202)
  })

  it("can be reset by operators only, and need a valid IP address", async () => {
    expect((await service.viewer("DELETE", "/quotas/host?domain=quota.dev")).status).toBe(403)
    for (const path of [
      "/quotas/submit?client=nobody",
      "/quotas/submit",
      "/quotas/site?client=::1",
      "/quotas/host?domain=",
      "/quotas/host?domain=quota"
    ]) {
      expect((await service.viewer("GET", path)).status, path).toBe(400)
    }
    expect(await service.viewer("GET", "/log?limit=200")).toMatchObject({
      body: {
        entries: expect.arrayContaining([
          expect.objectContaining({ action: "quota.reset", subject: "host quota.dev", after: "200 of 200 left" })
        ])
      }
    })
  })
})

describe.skipIf(!postgres.available)("the queue of several processes", () => {
  let database: Awaited<ReturnType<typeof ownPostgres>>
  let services: Array<AdminTestService>
  const start = async (): Promise<AdminTestService> => {
    const service = await startAdminService({ env: { DOCGAUGE_DATABASE_URL: database.url } })
    services.push(service)
    return service
  }
  beforeEach(async () => {
    database = await ownPostgres()
    services = []
  })
  afterEach(async () => {
    for (const service of services) await service.stop()
    await database.remove()
  })

  const statusOf = async (service: AdminTestService, id: string): Promise<string> =>
    ((await (await service.ask(`/api/public/audit/${id}`)).json()) as { readonly status: string }).status

  it("shows running and waiting runs with process and time", async () => {
    const service = await start()
    expect(await service.viewer("GET", "/queue")).toMatchObject({
      status: 200,
      body: { paused: null, pending: 0, running: 0, runs: [] }
    })
    const id = idIn(await (await service.submit({ base_url: "https://held.queue.dev" }, "?async=true")).json())
    await eventually(
      () => statusOf(service, id),
      (status) => status === "running"
    )
    await service.submit({ base_url: "https://held2.queue.dev" }, "?async=true")
    expect(await service.viewer("GET", "/queue")).toMatchObject({
      body: {
        pending: 1,
        running: 1,
        runs: [
          {
            run_id: id,
            status: "running",
            worker: expect.stringMatching(/^[\da-f-]{36}$/),
            begun_at: expect.stringMatching(/Z$/)
          },
          { status: "pending", worker: null, begun_at: null }
        ]
      }
    })
  })

  it("that is paused starts no audit in any process, even after a restart; accepted runs wait until it is resumed", async () => {
    const [first, second] = [await start(), await start()]
    await first.submit({ base_url: "https://before.dev" })
    // Either process may have done that one.
    const before = second.auditor.audits()
    expect(await first.admin("POST", "/queue/pause")).toMatchObject({ status: 200, body: { paused: { by: "ada" } } })
    const ids = []
    for (const [index, service] of [first, second, first, second, first].entries()) {
      const answer = await service.submit({ base_url: `https://paused${index}.dev` }, "?async=true")
      expect(answer.status).toBe(202)
      ids.push(idIn(await answer.json()))
    }
    // Longer than anything that was waiting for work takes to find out.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500)
    })
    await first.stop()
    const third = await start()
    expect(await third.viewer("GET", "/queue")).toMatchObject({
      body: { paused: { by: "ada" }, pending: 5, running: 0 }
    })
    await new Promise((resolve) => {
      setTimeout(resolve, 1_200)
    })
    expect([third.auditor.audits(), second.auditor.audits()]).toEqual([0, before])
    expect(await second.admin("POST", "/queue/resume")).toMatchObject({ body: { paused: null } })
    for (const id of ids)
      await eventually(
        () => statusOf(third, id),
        (status) => status === "done"
      )
    expect(third.auditor.audits() + second.auditor.audits()).toBe(5 + before)
    expect(await third.viewer("GET", "/log?limit=2")).toMatchObject({
      body: {
        entries: [
          { action: "queue.resume", after: "running" },
          { action: "queue.pause", before: "running" }
        ]
      }
    })
  })

  it("that is paused or resumed twice was changed once: the log and other processes are told nothing of the second time", async () => {
    const service = await start()
    for (const action of ["pause", "pause", "resume", "resume"]) await service.admin("POST", `/queue/${action}`)
    const { body } = await service.viewer("GET", "/log")
    expect(
      (body as { readonly entries: ReadonlyArray<{ readonly action: string }> }).entries.map(({ action }) => action)
    ).toEqual(["queue.resume", "queue.pause"])
  })

  it("of another process clears its caches after a deletion", async () => {
    const [first, second] = [await start(), await start()]
    const id = (await first.submit({ base_url: "https://shared.dev" })).headers.get("x-audit-run-id") ?? ""
    expect((await second.submit({ base_url: "https://shared.dev" })).headers.get("x-audit-run-id")).toBe(id)
    expect(await statusOf(second, id)).toBe("done")
    await first.admin("DELETE", `/runs/${id}`)
    await eventually(
      async () => (await second.ask(`/api/public/audit/${id}`)).status,
      (status) => status === 404
    )
    const fresh = await second.submit({ base_url: "https://shared.dev" })
    expect([fresh.headers.get("x-audit-cache"), fresh.headers.get("x-audit-run-id") === id]).toEqual(["MISS", false])
  })
})
