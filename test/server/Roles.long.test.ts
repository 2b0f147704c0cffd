import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import type { Database } from "../../engine/store/Database.ts"
import { postgres } from "../store/Databases.ts"
import { type AdminTestService, eventually, startAdminService } from "./admin/AdminService.ts"
import type { TestService } from "./TestService.ts"

const urlOf = (address: Database): string =>
  address._tag === "Sqlite" ? `file:${address.path}` : Redacted.value(address.url)

const statusOf = async (service: TestService, id: string): Promise<unknown> =>
  (JSON.parse(await (await service.ask(`/api/public/audit/${id}`)).text()) as { readonly status: unknown }).status

const submitted = async (service: TestService, host: string): Promise<string> =>
  (
    JSON.parse(await (await service.submit({ base_url: `https://${host}` }, "?async=true")).text()) as {
      readonly run_id: string
    }
  ).run_id

/** Less than the 20 s that pages are cached, and more than the five that a slow machine may miss. */
const SOON_MS = 15_000

describe.skipIf(!postgres.available)("processes of several roles on PostgreSQL", () => {
  /** `start` starts a process of a role over one database of their own. */
  const on = (name: string, expectations: (start: (role: string) => Promise<AdminTestService>) => Promise<void>) =>
    it(name, () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(postgres.fresh, (address) =>
            Effect.promise(async () => {
              const services: Array<TestService> = []
              const start = async (role: string): Promise<AdminTestService> => {
                const service = await startAdminService({
                  env: { DOCGAUGE_DATABASE_URL: urlOf(address), DOCGAUGE_ROLE: role }
                })
                services.push(service)
                return service
              }
              try {
                await expectations(start)
              } finally {
                for (const service of services) await service.stop()
              }
            })
          )
        )
      )
    )

  on(
    "divide the work: a web process accepts audits and a worker runs them, which serves operators only",
    async (start) => {
      const worker = await start("worker")
      const web = await start("web")
      const response = await web.submit({ base_url: "https://docs.shared.dev" })
      expect(response.status).toBe(200)
      expect([web.auditor.audits(), worker.auditor.audits()]).toEqual([0, 1])
      for (const path of ["/healthz", "/healthz/live", "/metrics"])
        expect((await fetch(worker.url + path)).status, path).toBe(200)
      for (const path of ["/", "/openapi.json", "/browse", "/mcp", "/api/public/browse/summary"])
        expect((await fetch(worker.url + path)).status, path).toBe(404)
      expect((await fetch(`${worker.url}/audit`, { method: "POST", body: "{}" })).status).toBe(404)
    }
  )

  on("may start in any order: what a web process accepts waits for the first worker", async (start) => {
    const web = await start("web")
    const id = await submitted(web, "docs.shared.dev")
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500)
    })
    expect(await statusOf(web, id)).toBe("pending")
    const worker = await start("worker")
    await eventually(
      () => statusOf(web, id),
      (status) => status === "done"
    )
    expect(worker.auditor.audits()).toBe(1)
  })

  on(
    "hand over: a worker that ends finishes its audit within the grace period, takes no other, and leaves those to the next",
    async (start) => {
      const web = await start("web")
      const first = await start("worker")
      const id = await submitted(web, "held.shared.dev")
      await eventually(
        () => statusOf(web, id),
        (status) => status === "running"
      )
      // Its audit waits for a gate that `stop` opens, so the worker finishes it within the grace period.
      await first.stop()
      expect(await statusOf(web, id)).toBe("done")
      const next = await submitted(web, "next.shared.dev")
      const second = await start("worker")
      await eventually(
        () => statusOf(web, next),
        (status) => status === "done"
      )
      expect([first.auditor.audits(), second.auditor.audits()]).toEqual([1, 1])
    }
  )

  on(
    "show the figures of what other processes audited before caches of pages expire, without anyone asking",
    async (start) => {
      const [one, other] = [await start("web"), await start("web")]
      await start("worker")
      const ids = await Promise.all(
        ["a.dev", "b.dev", "c.dev"].map((host, index) => submitted(index === 1 ? other : one, host))
      )
      for (const id of ids)
        await eventually(
          () => statusOf(one, id),
          (status) => status === "done"
        )
      const begun = performance.now()
      for (const service of [one, other]) {
        const summary = async (): Promise<unknown> =>
          JSON.parse(await (await service.ask("/api/public/browse/summary")).text())
        expect(await eventually(summary, (found) => (found as { readonly runs: number }).runs === 3)).toMatchObject({
          sites: 3,
          runs: 3
        })
      }
      expect(performance.now() - begun).toBeLessThan(SOON_MS)
    }
  )

  on("see what an operator changed in another process before caches of pages expire", async (start) => {
    const [one, other, worker] = [await start("web"), await start("web"), await start("worker")]
    const soon = async (what: string, look: () => Promise<boolean>): Promise<void> => {
      const begun = performance.now()
      await eventually(look, (is) => is)
      expect(performance.now() - begun, what).toBeLessThan(SOON_MS)
    }
    const ids = await Promise.all(["a.dev", "b.dev"].map((host) => submitted(one, host)))
    const [kept, taken] = ids
    if (kept === undefined || taken === undefined) throw new Error("two runs are needed")
    for (const id of ids)
      await eventually(
        () => statusOf(other, id),
        (status) => status === "done"
      )
    const page = async (service: TestService, path: string) => (await fetch(service.url + path)).text()
    // Now the other process has the pages and reports in its caches.
    for (const path of [`/r/${taken}`, `/r/${taken}.json`, "/browse", "/dashboard"]) await page(other, path)

    await one.admin("POST", "/sites/takedown", { site: "b.dev", reason: "asked by mail" })
    await soon("report", async () => (await fetch(`${other.url}/r/${taken}.json`)).status === 404)
    await soon("page", async () => (await fetch(`${other.url}/r/${taken}`)).status === 404)
    await soon("corpus", async () => !(await page(other, "/browse")).includes("b.dev"))
    await soon("block", async () => (await other.submit({ base_url: "https://b.dev" }, "?async=true")).status === 422)

    await one.admin("POST", "/dashboards", {
      slug: "acme",
      title: "Acme",
      definition: { widgets: [{ kind: "corpus", title: "All sites" }] }
    })
    await one.admin("POST", "/dashboards/acme/publish")
    await soon("dashboard", async () => (await page(other, "/dashboard")).includes("Acme"))

    await one.admin("POST", "/queue/pause")
    const begun = worker.auditor.audits()
    const waiting = await submitted(other, "c.dev")
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500)
    })
    expect([await statusOf(other, waiting), worker.auditor.audits()]).toEqual(["pending", begun])
    await one.admin("POST", "/queue/resume")
    await soon("resume", async () => (await statusOf(other, waiting)) !== "pending")
    await eventually(
      () => statusOf(other, waiting),
      (status) => status === "done"
    )
  })
})
