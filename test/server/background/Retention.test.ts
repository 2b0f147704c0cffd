import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import { AdminLog } from "../../../engine/store/operators/AdminLog.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { RunDeletion } from "../../../server/admin/RunDeletion.ts"
import { retention, RetentionInterval } from "../../../server/background/Retention.ts"
import { archivesIn } from "../../store/archives/Archives.ts"
import { eventually, startAdminService } from "../admin/AdminService.ts"

it("a service deletes expired runs by itself, with archives and figures, and logs it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-retention-"))
  const service = await startAdminService({
    pace: "100 millis",
    env: { DOCGAUGE_RETENTION: "keep=1", DOCGAUGE_TARGET_WINDOW: "off", DOCGAUGE_ARCHIVES: `${folder},keep=9` }
  })
  const audit = async (): Promise<string> =>
    (await service.submit({ base_url: "https://kept50.dev" })).headers.get("x-audit-run-id") ?? ""
  const [first, , last] = [await audit(), await audit(), await audit()]
  await eventually(
    async () => (await service.ask(`/api/public/audit/${first}`)).status,
    (status) => status === 404
  )
  expect(
    await eventually(
      () => service.viewer("GET", "/runs"),
      ({ body }) => (body as { readonly runs: ReadonlyArray<unknown> }).runs.length === 1
    )
  ).toMatchObject({ body: { runs: [{ run_id: last }] } })
  expect(await (await service.ask("/api/public/browse/summary")).json()).toMatchObject({
    sites: 1,
    runs: 1,
    avg_score: 70
  })
  const archives = await eventually(
    () => Promise.resolve(archivesIn(folder)),
    (names) => names.length === 1
  )
  expect(archives).toEqual([expect.stringContaining(last ?? "")])
  expect(await service.viewer("GET", "/log")).toMatchObject({
    body: { entries: expect.arrayContaining([expect.objectContaining({ who: "retention", action: "run.expire" })]) }
  })
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

it("a run that expires still counts for the quota of its site, and the refusal names one that is left", async () => {
  const service = await startAdminService({
    pace: "100 millis",
    env: {
      DOCGAUGE_RETENTION: "keep=1",
      DOCGAUGE_TARGET_WINDOW: "off",
      DOCGAUGE_SITE_QUOTA: "1/24h",
      DOCGAUGE_VERIFIED_QUOTA: "off",
      DOCGAUGE_TRUST_PROXY: "1"
    }
  })
  const submit = (address: string) =>
    service.submit({ base_url: "https://kept50.dev" }, "", { "x-forwarded-for": address })
  const first = (await submit("192.0.2.1")).headers.get("x-audit-run-id")
  const second = (await submit("198.51.100.1")).headers.get("x-audit-run-id")
  await eventually(
    async () => (await service.ask(`/api/public/audit/${first}`)).status,
    (status) => status === 404
  )
  const again = await submit("192.0.2.1")
  expect([again.status, await again.json()]).toMatchObject([429, { code: "site_quota", run_id: second }])
  await service.stop()
})

it("one pass goes through all batches of expired runs, each from where the one before ended", async () => {
  const begins: Array<number> = []
  const service = retention.pipe(
    Layer.provide([
      Layer.mock(Moderation, {
        expired: (_rule, limit, from) => {
          begins.push(from)
          return Effect.succeed({ runs: [], next: from < 2 * limit ? from + limit : null })
        }
      }),
      Layer.mock(RunDeletion, {}),
      Layer.mock(AdminLog, {}),
      Transactions.layerMemory
    ]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DOCGAUGE_RETENTION: "keep=1" })))
  )
  await Effect.runPromise(
    Effect.scoped(Effect.andThen(Layer.build(service), TestClock.adjust("11 minutes"))).pipe(
      Effect.provideService(RetentionInterval, "10 minutes"),
      Effect.provide(TestClock.layer())
    )
  )
  expect(begins).toEqual([0, 50, 100])
})
