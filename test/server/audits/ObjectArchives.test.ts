import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ownPostgres, postgres } from "../../store/Databases.ts"
import { S3_SECRET_KEY, type S3Server, startS3 } from "../../store/blobs/S3Server.ts"
import { startService, type TestService } from "../TestService.ts"

const decode = Schema.decodeUnknownSync(Schema.Struct({ run_id: Schema.String }))

let server: S3Server
let database: Awaited<ReturnType<typeof ownPostgres>>
let auditing: TestService
let serving: TestService

beforeAll(async () => {
  if (!postgres.available) return
  server = await startS3()
  database = await ownPostgres()
  const env = {
    DOCGAUGE_DATABASE_URL: database.url,
    DOCGAUGE_OBJECT_STORE: `s3://${server.location.bucket}/service`,
    AWS_ENDPOINT_URL_S3: server.location.endpoint,
    AWS_ACCESS_KEY_ID: server.location.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_SECRET_KEY
  }
  auditing = await startService({ env })
  serving = await startService({ env: { ...env, DOCGAUGE_ROLE: "web" } })
})
afterAll(async () => {
  if (!postgres.available) return
  await auditing.stop()
  await serving.stop()
  await server.stop()
  await database.remove()
})

/** Audits a site; gives the id of the run. */
const audited = async (host: string): Promise<string> => {
  const { run_id: id } = decode(await (await auditing.submit({ base_url: `https://${host}` }, "?async=true")).json())
  await expect.poll(async () => (await auditing.ask(`/api/public/audit/${id}`)).text()).toMatch(/"status":\s*"done"/u)
  return id
}

const archiveFrom = (service: TestService, id: string) => service.ask(`/api/public/audit/${id}/archive`)

describe.skipIf(!postgres.available)("a service with an object store", () => {
  it("serves the archive of a run from every process, whatever folder it has", async () => {
    const id = await audited("docs80.objects.dev")
    await expect.poll(async () => (await archiveFrom(serving, id)).status).toBe(200)
    const [one, other] = await Promise.all(
      [auditing, serving].map(async (service) => Buffer.from(await (await archiveFrom(service, id)).arrayBuffer()))
    )
    expect(one?.length).toBeGreaterThan(0)
    expect(other).toEqual(one)
  })

  it("goes on auditing while the object store is down, serves what is in its folder, and sends it afterwards", async () => {
    const before = await audited("docs81.objects.dev")
    await expect.poll(async () => (await archiveFrom(serving, before)).status).toBe(200)
    server.fault("answers_500")
    const id = await audited("docs82.objects.dev")
    expect((await archiveFrom(auditing, id)).status).toBe(200)
    expect((await archiveFrom(serving, id)).status).toBe(404)
    expect((await archiveFrom(serving, before)).status).toBe(503)
    await expect
      .poll(() => auditing.logs.filter((line) => line.includes("The object store cannot be used")).length)
      .toBe(1)
    expect(await (await auditing.ask("/metrics")).text()).toMatch(/^docgauge_object_backlog\S* 1$/mu)
    server.fault("none")
    await expect.poll(async () => (await archiveFrom(serving, id)).status, { timeout: 60_000 }).toBe(200)
  })
})
