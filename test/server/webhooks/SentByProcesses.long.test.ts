import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { layerDatabase, sqliteAt } from "../../../engine/store/Database.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { ownPostgres, postgres } from "../../store/Databases.ts"
import { eventually } from "../admin/AdminService.ts"
import { FILE } from "../audits/Owners.ts"
import { startService, type TestService } from "../TestService.ts"
import { isSigned, type Receiver, receiver } from "./Receiver.ts"

const SITE = "http://docs50.owned.dev"
const HOOK = "http://hooks.owned.dev/docgauge?token=a"

const ended: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** A site and a receiver, both at one port of loopback, whatever the host. */
const hosts = async (pages: Record<string, string>): Promise<Receiver> => {
  const made = await receiver(undefined, pages)
  ended.push(made.close)
  return made
}

const start = async ({ port }: Receiver, env: Readonly<Record<string, string>> = {}): Promise<TestService> => {
  const service = await startService({
    dials: true,
    pace: "100 millis",
    env: {
      DOCGAUGE_ALLOW_HTTP: "true",
      DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${port}`,
      DOCGAUGE_TARGET_WINDOW: "off",
      ...env
    }
  })
  ended.push(service.stop)
  return service
}

const post = async (service: TestService, body: object) => {
  const answer = await service.ask("/api/public/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return JSON.parse(await answer.text())
}

const created = async (service: TestService, pages: Record<string, string>) => {
  const asked = { base_url: SITE, url: HOOK }
  const { ownership, receiver } = await post(service, asked)
  pages[FILE] = `${ownership.token}\n${receiver.token}`
  const { id, secret } = await post(service, { ...asked, owner_key: ownership.owner_key })
  return { id: String(id), secret: String(secret) }
}

const webhookOf = async (service: TestService, { id, secret }: { readonly id: string; readonly secret: string }) =>
  JSON.parse(
    await (await service.ask(`/api/public/webhooks/${id}`, { headers: { authorization: `Bearer ${secret}` } })).text()
  )

const audited = async (service: TestService) =>
  (await service.submit({ base_url: SITE })).headers.get("x-audit-run-id") ?? ""

const arrived = (to: Receiver, count: number) =>
  eventually(
    () => Promise.resolve(to.received.length),
    (received) => received === count
  )

describe("a service with its audit processes", () => {
  it("tells of finished audits and sends tests, signed, until the webhook is deleted", async () => {
    const pages: Record<string, string> = {}
    const to = await hosts(pages)
    const service = await start(to)
    const webhook = await created(service, pages)
    const run = await audited(service)
    await arrived(to, 1)
    const [message] = to.received
    expect(message?.path).toBe("/docgauge?token=a")
    expect(message === undefined ? false : isSigned(message, webhook.secret)).toBe(true)
    expect(JSON.parse(message?.body ?? "{}")).toMatchObject({
      type: "audit.finished",
      data: { run_id: run, base_url: SITE, total_score: 50, previous: null }
    })
    const shown = await eventually(
      () => webhookOf(service, webhook),
      ({ deliveries }) => deliveries[0]?.state === "delivered"
    )
    expect(shown.deliveries).toMatchObject([
      { id: message?.id, type: "audit.finished", run_id: run, attempts: 1, last_status: 204 }
    ])
    const authorization = `Bearer ${webhook.secret}`
    await service.ask(`/api/public/webhooks/${webhook.id}/test`, { method: "POST", headers: { authorization } })
    await arrived(to, 2)
    expect(to.received[1]).toMatchObject({ type: "webhook.test" })
    await eventually(
      async () => (await fetch(`${service.url}/metrics`)).text(),
      (metrics) => metrics.includes('docgauge_webhook_deliveries_total{outcome="delivered"} 2')
    )
    await service.ask(`/api/public/webhooks/${webhook.id}`, { method: "DELETE", headers: { authorization } })
    await audited(service)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(to.received).toHaveLength(2)
  })

  it.skipIf(!postgres.available)("sends from workers, and nothing from a process of role web", async () => {
    const pages: Record<string, string> = {}
    const [to, database] = [await hosts(pages), await ownPostgres()]
    ended.push(database.remove)
    const roleOf = (DOCGAUGE_ROLE: string) => start(to, { DOCGAUGE_DATABASE_URL: database.url, DOCGAUGE_ROLE })
    const web = await roleOf("web")
    const webhook = await created(web, pages)
    const headers = { authorization: `Bearer ${webhook.secret}` }
    await web.ask(`/api/public/webhooks/${webhook.id}/test`, { method: "POST", headers })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(to.received).toEqual([])
    expect((await webhookOf(web, webhook)).deliveries).toMatchObject([{ state: "waiting", attempts: 0 }])
    await roleOf("worker")
    await roleOf("worker")
    await arrived(to, 1)
    const run = await audited(web)
    await arrived(to, 2)
    expect(to.received.map(({ type }) => type)).toEqual(["webhook.test", "audit.finished"])
    expect(JSON.parse(to.received[1]?.body ?? "{}").data.run_id).toBe(run)
  })

  it("sends a message again under the same id if it is killed before the receiver has answered", async () => {
    const pages: Record<string, string> = {}
    const to = await receiver((_message, response) => {
      // The first one is never answered.
      if (to.received.length > 1) response.writeHead(204).end()
    }, pages)
    ended.push(to.close)
    const folder = mkdtempSync(join(tmpdir(), "docgauge-webhooks-"))
    ended.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
    const database = join(folder, "runs.db")
    const begin = async (): Promise<{ readonly process: ServiceProcess; readonly url: string }> => {
      const process = new ServiceProcess({
        program: PROGRAM,
        env: {
          ...LIMITLESS,
          PORT: "0",
          DOCGAUGE_DATABASE_URL: `file:${database}`,
          DOCGAUGE_ARCHIVES: "off",
          DOCGAUGE_ALLOW_HTTP: "true",
          DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${to.port}`
        }
      })
      ended.push(() => process.kill())
      return { process, url: await process.url }
    }
    const { process, url } = await begin()
    const json = { "content-type": "application/json" }
    const asked = async (path: string, body: object, headers: Record<string, string> = json) =>
      JSON.parse(await (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).text())
    const { ownership, receiver: proof } = await asked("/api/public/webhooks", { base_url: SITE, url: HOOK })
    pages[FILE] = `${ownership.token}\n${proof.token}`
    const owner_key = ownership.owner_key
    const { id, secret } = await asked("/api/public/webhooks", { base_url: SITE, url: HOOK, owner_key })
    const authorization = `Bearer ${secret}`
    await asked(`/api/public/webhooks/${id}/test`, {}, { authorization })
    // A test is sent once, so this one becomes the message of an audit.
    const change = (statement: string) =>
      Effect.runPromise(
        Effect.provide(
          Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)),
          layerDatabase(sqliteAt(database))
        )
      )
    await arrived(to, 1)
    await process.kill()
    await change("UPDATE webhook_deliveries SET type = 'audit.finished', next_at = 0")
    const second = await begin()
    await arrived(to, 2)
    expect(to.received[1]?.id).toBe(to.received[0]?.id)
    expect(to.received.every((message) => isSigned(message, secret))).toBe(true)
    const shown = await eventually(
      async () =>
        JSON.parse(
          await (await fetch(`${second.url}/api/public/webhooks/${id}`, { headers: { authorization } })).text()
        ),
      ({ deliveries }) => deliveries[0]?.state === "delivered"
    )
    expect(shown.deliveries).toMatchObject([{ attempts: 2 }])
  })
})
