import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import type { Database } from "../../../engine/store/Database.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { dialects } from "../../store/Databases.ts"
import { type AdminTestService, eventually, startAdminService } from "./AdminService.ts"

const urlOf = (address: Database): string =>
  address._tag === "Sqlite" ? `file:${address.path}` : Redacted.value(address.url)

const idIn = (body: unknown): string => (body as { readonly id: string }).id

const lastRun = (body: unknown): string | null => (body as { readonly last_run_id: string | null }).last_run_id

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`scheduled audits on ${backend.name}`, () => {
    /** Several services over one database of their own: an SQLite file is for one. */
    const on = (
      name: string,
      count: number,
      expectations: (...services: ReadonlyArray<AdminTestService>) => Promise<void>
    ) =>
      it.skipIf(count > 1 && backend.kind === "SQLite")(name, () =>
        Effect.runPromise(
          Effect.scoped(
            Effect.flatMap(backend.fresh, (address) =>
              Effect.promise(async () => {
                const services: Array<AdminTestService> = []
                try {
                  for (let index = 0; index < count; index += 1) {
                    services.push(
                      await startAdminService({
                        pace: "50 millis",
                        env: { DOCGAUGE_DATABASE_URL: urlOf(address), DOCGAUGE_HOST_BUDGET: "200/1h" }
                      })
                    )
                  }
                  await expectations(...services)
                } finally {
                  for (const service of services) await service.stop()
                }
              })
            )
          )
        )
      )

    on("are submitted once by two processes", 2, async (first, second) => {
      if (first === undefined || second === undefined) throw new Error("two services are needed")
      const created = await first.admin("POST", "/schedules", { base_url: "https://docs.planned.dev/", every: "6h" })
      expect(created).toMatchObject({
        status: 201,
        body: {
          base_url: "https://docs.planned.dev",
          every: "6h",
          last_at: null,
          last_run_id: null,
          last_problem: null
        }
      })
      const path = `/schedules/${idIn(created.body)}`
      const { body } = await eventually(
        () => second.viewer("GET", path),
        ({ body }) => lastRun(body) !== null
      )
      await eventually(
        async () => (await first.ask(`/api/public/audit/${lastRun(body)}`)).text(),
        (text) => text.includes('"done"')
      )
      // Several rounds: each of these is submitted in one.
      const later = [1, 2, 3].map((round) => `https://later${round}.dev`)
      for (const url of later) {
        const { body: one } = await second.admin("POST", "/schedules", { base_url: url, every: "6h" })
        await eventually(
          async () => (await first.viewer("GET", `/schedules/${idIn(one)}`)).body,
          (planned) => lastRun(planned) !== null
        )
      }
      const { body: runs } = await first.viewer("GET", "/runs")
      expect(
        (runs as { readonly runs: ReadonlyArray<{ readonly base_url: string }> }).runs.map((run) => run.base_url)
      ).toEqual([...later.toReversed(), "https://docs.planned.dev"])
      expect((await first.viewer("GET", path)).body).toEqual(body)
      const { last_at: last, next_at: next } = body as { readonly last_at: string; readonly next_at: string }
      expect(Date.parse(next) - Date.parse(last)).toBeGreaterThan(5.9 * 3_600_000)
      expect(Date.parse(next) - Date.parse(last)).toBeLessThanOrEqual(6 * 3_600_000)
    })

    on("are submitted side by side when many are due, each once", 2, async (first) => {
      if (first === undefined) throw new Error("a service is needed")
      await first.admin("POST", "/queue/pause")
      const numbers = Array.from({ length: 150 }, (_, index) => index)
      await first.stores(
        ScheduleStore.use((schedules) =>
          Effect.forEach(numbers, (number) => schedules.create(`https://site${number}.dev`, 86_400_000))
        )
      )
      const planned = await eventually(
        () => first.stores(ScheduleStore.use(({ list }) => list("", 1_000))),
        (all) => all.every(({ lastRun }) => lastRun !== null)
      )
      const { runs } = await first.stores(Moderation.use((moderation) => moderation.underWay(1_000)))
      expect(runs).toHaveLength(numbers.length)
      expect(new Set(runs.map(({ run }) => run.id))).toEqual(new Set(planned.map(({ lastRun }) => lastRun)))
    })

    on("are created, listed, changed and deleted", 1, async (service) => {
      if (service === undefined) throw new Error("a service is needed")
      await service.admin("POST", "/sites/block", { site: "blocked.dev" })
      const created = await service.admin("POST", "/schedules", { base_url: "https://a.dev", every: "24h" })
      expect(created, "days are told as days").toMatchObject({ status: 201, body: { every: "1d" } })
      expect(await service.admin("POST", "/schedules", { base_url: "https://a.dev/", every: "7d" })).toMatchObject({
        status: 409,
        body: { code: "exists" }
      })
      await service.admin("POST", "/schedules", { base_url: "https://b.other.dev", every: "30d" })
      const first = await service.viewer("GET", "/schedules?limit=1")
      expect(first).toMatchObject({
        body: { schedules: [{ base_url: "https://a.dev" }], next_cursor: "https://a.dev" }
      })
      expect(await service.viewer("GET", "/schedules?limit=1&cursor=https://a.dev")).toMatchObject({
        body: { schedules: [{ base_url: "https://b.other.dev", every: "30d" }], next_cursor: "" }
      })
      const path = `/schedules/${idIn(created.body)}`
      expect(await service.admin("PUT", path, { every: "36h" })).toMatchObject({ status: 200, body: { every: "36h" } })
      expect(await service.admin("DELETE", path)).toMatchObject({ status: 204 })
      expect(await service.admin("DELETE", path)).toMatchObject({ status: 404 })
      expect(await service.viewer("POST", "/schedules", { base_url: "https://c.dev", every: "1d" })).toMatchObject({
        status: 403
      })
      for (const every of ["0h", "30m", "1", "h", "-1d", "1.5h", "10000h"]) {
        expect(await service.admin("POST", "/schedules", { base_url: "https://c.dev", every }), every).toMatchObject({
          status: 400
        })
      }
      expect(
        await service.admin("POST", "/schedules", { base_url: "https://blocked.dev/v2", every: "1d" })
      ).toMatchObject({ status: 422, body: { code: "audit_failed" } })
      expect(await service.admin("POST", "/schedules", { base_url: "https://10.0.0.1", every: "1d" })).toMatchObject({
        status: 400
      })
      expect(await service.viewer("GET", "/log?limit=2")).toMatchObject({
        body: {
          entries: [
            { action: "schedule.delete" },
            { action: "schedule.change", before: "https://a.dev every 1d", after: "https://a.dev every 36h" }
          ]
        }
      })
    })

    on("of a site that was blocked meanwhile are not submitted, with the reason", 1, async (service) => {
      if (service === undefined) throw new Error("a service is needed")
      await service.admin("POST", "/queue/pause")
      const created = await service.admin("POST", "/schedules", { base_url: "https://c.dev", every: "1d" })
      await service.admin("POST", "/sites/block", { site: "c.dev" })
      const { body } = await eventually(
        () => service.viewer("GET", `/schedules/${idIn(created.body)}`),
        ({ body }) => (body as { readonly last_at: string | null }).last_at !== null
      )
      const { last_problem: problem } = body as { readonly last_problem: string | null }
      if (problem !== null) return expect(problem).toContain("blocked")
      // It was asked for before the block. Its run has ended, or does once it comes up: the two may have been written at the same time.
      await service.admin("POST", "/queue/resume")
      await eventually(
        () => service.viewer("GET", "/runs?site=c.dev"),
        ({ body }) => JSON.stringify(body).includes('"status":"error"')
      )
    })

    on("wait if the budget of their domain is used up", 1, async (service) => {
      if (service === undefined) throw new Error("a service is needed")
      await service.admin("POST", "/queue/pause")
      await service.admin("POST", "/runs", { base_url: "https://spent.dev/first" })
      const created = await service.admin("POST", "/schedules", { base_url: "https://spent.dev", every: "1d" })
      const { body } = await eventually(
        () => service.viewer("GET", `/schedules/${idIn(created.body)}`),
        ({ body }) => (body as { readonly last_problem: string | null }).last_problem !== null
      )
      expect(body).toMatchObject({
        last_run_id: null,
        last_at: null,
        last_problem: expect.stringContaining("as many requests as we allow")
      })
    })
  })
}
