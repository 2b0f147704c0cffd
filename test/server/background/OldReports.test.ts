import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { layerDatabase } from "../../../engine/store/Database.ts"
import { sqliteAt } from "../../../engine/store/sqlite/SqliteDatabase.ts"
import { goldenReport, seedRun } from "../../browser/SeededRuns.ts"
import { startS3 } from "../../store/objects/S3Server.ts"
import { eventually } from "../admin/AdminService.ts"
import { startService } from "../TestService.ts"

it("a service moves old reports to the object store, and shows them as before at /audit/ID and on their page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-old-reports-"))
  const server = await startS3()
  const file = join(folder, "runs.db")
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = server.location
  const env = {
    DOCGAUGE_DATABASE_URL: `file:${file}`,
    DOCGAUGE_OBJECT_STORE: `s3://${bucket}/service`,
    DOCGAUGE_OLD_REPORTS: "days=30",
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: Redacted.value(secretAccessKey)
  }
  const first = await startService({ pace: "100 millis", env })
  const id = await seedRun(first, goldenReport("typical"))
  const [run, page] = [
    await (await first.ask(`/api/public/audit/${id}`)).text(),
    await (await first.ask(`/r/${id}`)).text()
  ]
  await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient, (sql) => sql`UPDATE runs SET started_at = started_at - ${31 * 86_400_000_000}`),
      layerDatabase(sqliteAt(file))
    )
  )
  await eventually(
    () => Promise.resolve(first.logs.join("\n")),
    (logs) => logs.includes("moved 1 old report to the object store")
  )
  await first.stop()
  // Its caches are empty.
  const second = await startService({ env })
  const later = await (await second.ask(`/api/public/audit/${id}`)).text()
  const started = /"started_at":"[^"]*"/u
  expect(later.replace(started, "")).toBe(run.replace(started, ""))
  expect((await (await second.ask(`/r/${id}`)).text()).length).toBeGreaterThan(0.9 * page.length)
  expect(server.requests.some((request) => request.startsWith("GET") && request.includes(`reports/`))).toBe(true)
  await second.stop()
  server.fault("answers_500")
  const third = await startService({ env })
  expect((await third.ask(`/api/public/audit/${id}`)).status).toBe(503)
  await third.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

it("a service refuses to move old reports without an object store, in one line", async () => {
  await expect(startService({ env: { DOCGAUGE_OLD_REPORTS: "days=30" } })).rejects.toThrow(
    /DOCGAUGE_OLD_REPORTS: set DOCGAUGE_OBJECT_STORE, too/u
  )
})
