import { describe, expect, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import { MIGRATIONS } from "../../engine/store/database/Migrations.ts"
import { Migrations } from "../../engine/store/database/Schema.ts"
import { type AdminTestService, eventually, startAdminService } from "../server/admin/AdminService.ts"
import { type Backend, dialects } from "../store/Databases.ts"
import { S3_SECRET_KEY, startS3 } from "../store/blobs/S3Server.ts"
import { allRows, catalogue } from "./Catalogue.ts"
import { folderOf, savedArchives, savedDatabase, savedVersions, toldBy, urlOf } from "./SavedDatabases.ts"

const NUMBERS = Object.keys(MIGRATIONS).map((name) => name.slice(0, 4))

/** The migrations up to one of them. */
const upTo = (version: string) =>
  Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name.slice(0, 4) <= version))

/** What databases of 26 November 2026 lack that those of a day later have, under the same number. */
const LACKED = ["runs_hidden", "runs_errors"]

/** Functions that `0004` drops, which earlier migrations no longer make. */
const DROPPED = /^CREATE OR REPLACE FUNCTION public\.docgauge_(accepted|takeable|next_turn|drop_idle_turns|claim)\(/

const withoutDropped = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => !DROPPED.test(line))

/** Reads a database as it is. */
const read = <A>(database: Database, effect: Effect.Effect<A, unknown, SqlClient>) =>
  Effect.provide(effect, Layer.fresh(database.clients()))

/** Reads a database after some migrations, all unless given. */
const migrated = <A>(
  database: Database,
  effect: Effect.Effect<A, unknown, SqlClient>,
  migrations: Context.Service.Shape<typeof Migrations> = MIGRATIONS
) => Effect.provide(effect, Layer.fresh(layerDatabase(database))).pipe(Effect.provideService(Migrations, migrations))

it("has a database saved of every version of the schema: `node test/upgrades/saveDatabases.ts` saves that of the newest", () => {
  expect(savedVersions).toEqual(NUMBERS)
})

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`on ${backend.name}`, { concurrent: true }, () => {
    /** The schema of a new database, which is made once. */
    const newest = Effect.runSync(
      Effect.cached(Effect.scoped(Effect.flatMap(backend.empty, (made) => migrated(made, catalogue))))
    )

    it.live.each(savedVersions)("the migrations up to %s make the schema that they made when it landed", (version) =>
      Effect.scoped(
        Effect.gen(function* () {
          const [saved, made] = [yield* savedDatabase(backend, version), yield* backend.empty]
          expect(withoutDropped(yield* migrated(made, catalogue, upTo(version)))).toEqual(
            withoutDropped(yield* read(saved, catalogue))
          )
        })
      )
    )

    it.live.each(savedVersions)(
      "a database of schema %s gets the schema of a new one, and keeps every row",
      (version) =>
        Effect.scoped(
          Effect.gen(function* () {
            const saved = yield* savedDatabase(backend, version)
            const { docgauge_versions: _, ...before } = yield* read(saved, allRows)
            expect(yield* migrated(saved, catalogue)).toEqual(yield* newest)
            expect(yield* read(saved, allRows)).toMatchObject(before)
            expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(20)
          })
        )
    )

    it.live("a database of 26 November 2026, whose first schema lacks two indexes, gets the schema of a new one", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const saved = yield* savedDatabase(backend, "0001")
          yield* read(
            saved,
            Effect.flatMap(SqlClient, (sql) => Effect.forEach(LACKED, (index) => sql`DROP INDEX ${sql(index)}`))
          )
          expect(yield* migrated(saved, catalogue)).toEqual(yield* newest)
        })
      )
    )
  })
}

/** The oldest schema, and the two newest: how the rows of each are carried over, the tests above hold. */
const SERVED = savedVersions.filter((_, index) => index === 0 || index >= savedVersions.length - 2)

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`on ${backend.kind}`, { concurrent: true }, () => {
    it.live.each(SERVED)(
      "a service on a database of schema %s shows every run, archive and setting as before, and audits what was waiting",
      (version) =>
        Effect.scoped(
          Effect.gen(function* () {
            const service = yield* serviceOn(backend, version)
            yield* Effect.promise(() => expectAsBefore(service, folderOf(version, backend)))
          })
        )
    )
  })
}

/** A service of today on a copy of what one of that version left behind. */
const serviceOn = Effect.fnUntraced(function* (backend: Backend, version: string) {
  const database = yield* savedDatabase(backend, version)
  const objects =
    database._tag === "Sqlite"
      ? null
      : yield* Effect.acquireRelease(
          Effect.promise(() => startS3(join(folderOf(version, backend), "objects"))),
          (server) => Effect.promise(() => server.stop())
        )
  const env =
    objects === null
      ? { DOCGAUGE_ARCHIVES: yield* savedArchives(backend, version) }
      : {
          DOCGAUGE_OBJECT_STORE: `s3://${objects.location.bucket}/service`,
          AWS_ENDPOINT_URL_S3: objects.location.endpoint,
          AWS_ACCESS_KEY_ID: objects.location.accessKeyId,
          AWS_SECRET_ACCESS_KEY: S3_SECRET_KEY
        }
  return yield* Effect.acquireRelease(
    Effect.promise(() =>
      startAdminService({
        env: {
          DOCGAUGE_DATABASE_URL: urlOf(database),
          DOCGAUGE_ALLOW_HTTP: "true",
          DOCGAUGE_RESOLVE: "*:80:127.0.0.1:9",
          ...env
        }
      })
    ),
    (service) => Effect.promise(() => service.stop())
  )
})

const expectAsBefore = async ({ admin, ask }: AdminTestService, folder: string): Promise<void> => {
  const told = toldBy(folder)
  const jsonOf = async (path: string): Promise<unknown> => (await ask(path)).json()
  for (const [id, saved] of Object.entries(told.runs)) {
    const { signature = null, ...run } = saved as Readonly<Record<string, unknown>>
    // Signed by the same key, for a service that has another URL now.
    const header = typeof signature === "string" ? signature.slice(0, signature.indexOf(".") + 1) : null
    const signed = header === null ? {} : { signature: expect.stringMatching(new RegExp(`^${RegExp.escape(header)}`)) }
    expect(await jsonOf(`/api/public/audit/${id}`)).toMatchObject({ ...run, ...signed })
    expect((await ask(`/r/${id}`)).status).toBe(200)
  }
  for (const [id, digest] of Object.entries(told.archives)) {
    // Those of a folder with the layout of earlier versions are taken in while the service runs.
    const response = await eventually(
      () => ask(`/api/public/audit/${id}/archive`),
      ({ status }) => status === 200
    )
    const archive = new Uint8Array(await response.arrayBuffer())
    expect(createHash("sha256").update(archive).digest("hex")).toBe(digest)
  }
  for (const [path, body] of Object.entries(told.admin))
    expect((await admin("GET", path)).body).toMatchObject(body as object)
  expect(await admin("GET", "/queue")).toMatchObject({ body: { paused: { by: "ada" } } })
  await admin("POST", "/queue/resume")
  for (const id of told.unfinished)
    await eventually(
      () => jsonOf(`/api/public/audit/${id}`),
      (run) => JSON.stringify(run).includes('"status":"done"')
    )
}
