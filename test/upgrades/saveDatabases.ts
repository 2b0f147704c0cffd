import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { constants, gzipSync } from "node:zlib"
import { MIGRATIONS } from "../../engine/store/database/Migrations.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"
import { type Ask, AUDIENCE, callerWith, eventually, SECRET, tokenOf } from "../server/admin/AdminService.ts"
import { Dance } from "../server/oauth/Dance.ts"
import { type Backend, postgres, sqliteBackends } from "../store/Databases.ts"
import { S3_SECRET_KEY, startS3 } from "../store/blobs/S3Server.ts"
import { folderOf, temporaryFolder, type Told, urlOf } from "./SavedDatabases.ts"

/*
 * Saves what a service of this version leaves behind, under the number of its newest migration: `node test/upgrades/saveDatabases.ts`. Real
 * audits of small sites on loopback, limits, an OAuth grant and what operators decide; then the service is killed while one run is audited
 * and others wait. On PostgreSQL its archives are in an object store. What landed once is not saved again.
 */

const VERSION = Object.keys(MIGRATIONS).at(-1)?.slice(0, 4) ?? ""

const post = async (url: string, body: unknown): Promise<string> => {
  const response = await fetch(`${url}/audit?async=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const { run_id: id = "" } = (await response.json()) as { readonly run_id?: string }
  if (id === "") throw new Error(`${response.status} for ${JSON.stringify(body)}`)
  return id
}

const succeeding =
  (ask: Ask): Ask =>
  async (method, path, body) => {
    const answer = await ask(method, path, body)
    if (answer.status >= 400) throw new Error(`${answer.status} for ${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }

const runOf = async (url: string, id: string): Promise<{ readonly status: string }> =>
  (await (await fetch(`${url}/api/public/audit/${id}`)).json()) as { readonly status: string }

const ended = (url: string, id: string) =>
  eventually(
    () => runOf(url, id),
    ({ status }) => status === "done" || status === "error"
  )

const digestOf = async (url: string, id: string): Promise<string> => {
  const response = await fetch(`${url}/api/public/audit/${id}/archive`)
  if (response.status !== 200) throw new Error(`${response.status} for the archive of ${id}`)
  return createHash("sha256")
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest("hex")
}

const save = Effect.fnUntraced(function* (backend: Backend): Effect.fn.Return<void, unknown, Scope.Scope> {
  const database = yield* backend.empty
  const archives = yield* temporaryFolder
  const hasObjects = database._tag === "Postgres"
  yield* Effect.promise(async () => {
    const [sites, objects, port] = [
      await serveSmallSites({
        instead: ({ headers, socket }) => {
          if (headers.host === new URL(smallSite("gone")).host) socket.destroy()
          return headers.host !== undefined && /small-(?:gone|slow)\./u.test(headers.host)
        }
      }),
      await startS3(),
      await freePort()
    ]
    const url = `http://127.0.0.1:${port}`
    const env = {
      ...sites.env,
      PORT: String(port),
      DOCGAUGE_BASE_URL: url,
      DOCGAUGE_DATABASE_URL: urlOf(database),
      DOCGAUGE_ARCHIVES: archives,
      DOCGAUGE_ADMIN_JWT_SECRET: SECRET,
      DOCGAUGE_ADMIN_JWT_AUDIENCE: AUDIENCE,
      DOCGAUGE_SUBMIT_RATE: "100/60s",
      DOCGAUGE_CLIENT_RUNS: "10",
      ...(hasObjects
        ? {
            DOCGAUGE_OBJECT_STORE: `s3://${objects.location.bucket}/service`,
            AWS_ENDPOINT_URL_S3: objects.location.endpoint,
            AWS_ACCESS_KEY_ID: objects.location.accessKeyId,
            AWS_SECRET_ACCESS_KEY: S3_SECRET_KEY
          }
        : {})
    }
    const first = new ServiceProcess({ env })
    await first.url
    const done: Array<string> = []
    for (const number of [1, 2, "gone"]) done.push(await post(url, { base_url: smallSite(number) }))
    for (const id of done) await ended(url, id)
    const archived = done.slice(0, 2)
    for (const id of archived)
      await eventually(
        async () => (await fetch(`${url}/api/public/audit/${id}/archive`)).status,
        (status) => status === 200
      )
    await first.end()

    const second = new ServiceProcess({ env })
    await second.url
    const admin = succeeding(callerWith(url, await tokenOf({ expires: 600 })))
    await new Dance(url).authorized()
    await admin("POST", `/runs/${done[1]}/hide`)
    await admin("POST", "/sites/block", { site: "docs.small-blocked.com", reason: "asked by mail" })
    await admin("POST", "/dashboards", {
      slug: "all",
      title: "All",
      public: true,
      definition: { widgets: [{ kind: "corpus", title: "All" }] }
    })
    const slow = await post(url, { base_url: smallSite("slow") })
    await eventually(
      () => runOf(url, slow),
      ({ status }) => status === "running"
    )
    await admin("POST", "/queue/pause")
    const waiting = [await post(url, { base_url: smallSite(3) }), await post(url, { base_url: smallSite(4) })]
    await admin("POST", "/schedules", { base_url: smallSite(5), every: "6h" })
    const { body: planned } = await eventually(
      () => admin("GET", "/schedules"),
      ({ body }) => !JSON.stringify(body).includes('"last_run_id":null')
    )
    const {
      schedules: [{ last_run_id: scheduled }]
    } = planned as { readonly schedules: readonly [{ readonly last_run_id: string }] }

    const told: Told = {
      runs: Object.fromEntries(await Promise.all(done.map(async (id) => [id, await runOf(url, id)] as const))),
      archives: Object.fromEntries(
        await Promise.all(archived.map(async (id) => [id, await digestOf(url, id)] as const))
      ),
      unfinished: [slow, ...waiting, scheduled],
      admin: Object.fromEntries(
        await Promise.all(
          ["/sites/blocked", "/dashboards", "/log"].map(
            async (path) => [path, (await admin("GET", path)).body] as const
          )
        )
      )
    }
    await second.kill()
    await sites.close()

    const folder = folderOf(VERSION, backend)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    if (hasObjects) objects.save(join(folder, "objects"))
    else cpSync(archives, join(folder, "archives"), { recursive: true })
    await objects.stop()
    const compressed = (name: string, content: string | Uint8Array) =>
      writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
    compressed("told.json", JSON.stringify(told))
    if (database._tag === "Sqlite") compressed("runs.db", sqliteFile(database.path))
    else compressed("runs.sql", await postgresDump(urlOf(database)))
    console.log(`${folder} holds what schema ${VERSION} leaves on ${backend.kind}`)
  })
})

/** The database without its log and without free pages. */
const sqliteFile = (path: string): Uint8Array => {
  const database = new DatabaseSync(path)
  database.exec(`VACUUM INTO '${path}.copy'`)
  database.close()
  return readFileSync(`${path}.copy`)
}

/** Without \restrict, which only recent versions of psql know. */
const postgresDump = async (url: string): Promise<string> =>
  (
    await promisify(execFile)("pg_dump", ["--no-owner", "--no-privileges", url], { maxBuffer: 1024 ** 3 })
  ).stdout.replaceAll(/^\\(?:un)?restrict .*\n/gmu, "")

for (const backend of [...sqliteBackends.slice(0, 1), postgres]) await Effect.runPromise(Effect.scoped(save(backend)))
