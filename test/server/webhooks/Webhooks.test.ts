import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { DeliveryStore } from "../../../engine/store/webhooks/DeliveryStore.ts"
import { WebhookStore } from "../../../engine/store/webhooks/WebhookStore.ts"
import type { OwnerProof } from "../../../server/api/Errors.ts"
import { startAdminService } from "../admin/AdminService.ts"
import { FILE } from "../audits/Owners.ts"
import { startService, type TestService } from "../TestService.ts"
import { type Receiver, receiver } from "./Receiver.ts"

/** What all hosts answer to a GET, by path. */
let pages: Record<string, string> = {}
let hosts: Receiver

beforeAll(async () => {
  hosts = await receiver(undefined, new Proxy(pages, { get: (_target, path) => pages[String(path)] }))
})
afterAll(() => hosts.close())

const env = () => ({ DOCGAUGE_ALLOW_HTTP: "true", DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${hosts.port}` })

let service: TestService
beforeAll(async () => {
  service = await startService({ dials: true, env: env() })
})
afterAll(() => service.stop())

let count = 0
/** Hosts are looked at once a minute, so each test has its own. */
let site = ""
let hook = ""
beforeEach(() => {
  pages = {}
  count += 1
  site = `http://docs.hooked${count}.dev`
  hook = `http://hooks.receiver${count}.dev/docgauge?token=a`
})

const post = (body: unknown, to = service, headers: Record<string, string> = {}) =>
  to.ask("/api/public/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

interface Created {
  readonly id: string
  readonly secret: string
}

interface NotOwner {
  readonly error: string
  readonly ownership: OwnerProof
  readonly receiver: OwnerProof
}

const refusedAsStranger = async (answer: Response): Promise<NotOwner> => {
  const body = (await answer.json()) as NotOwner & { readonly code?: string }
  expect([answer.status, body.code]).toEqual([403, "not_owner"])
  return body
}

const owned = async (to = service): Promise<string> => {
  const { ownership, receiver } = await refusedAsStranger(await post({ base_url: site, url: hook }, to))
  pages[FILE] = `${ownership.token}\n${receiver.token}`
  return ownership.owner_key
}

const created = async (to = service, owner_key?: string): Promise<Created> => {
  const answer = await post({ base_url: site, url: hook, owner_key: owner_key ?? (await owned(to)) }, to)
  expect(answer.status).toBe(201)
  return (await answer.json()) as Created
}

const ask = async (path: string, method = "GET", secret: string | null = null, to = service) => {
  const answer = await to.ask(`/api/public/webhooks/${path}`, {
    method,
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` }
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === "" ? null : JSON.parse(text) }
}

describe("a webhook", () => {
  it("is created for who publishes the token of an owner key on the site and at the receiver, and its secret is told once", async () => {
    const owner_key = await owned()
    const answer = await post({ base_url: `${site}/docs/`, url: hook, owner_key, events: ["score.fell"] })
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "no-store"])
    const body = (await answer.json()) as Created
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      base_url: `${site}/docs`,
      url: hook,
      events: ["score.fell"]
    })
    const read = await ask(body.id, "GET", body.secret)
    expect([read.status, read.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(read.body).toMatchObject({ id: body.id, url: hook, state: "active", deliveries: [] })
    expect(JSON.stringify(read.body)).not.toContain(body.secret)
  })

  it("is refused to everybody else, with a key and what to publish on both hosts, which posts nothing to the receiver", async () => {
    const { error, ownership, receiver } = await refusedAsStranger(await post({ base_url: site, url: hook }))
    expect(error).toMatch(
      /^Only the owner of a site can have a webhook for it, at a URL of their own\. If the site is yours, publish /
    )
    expect([ownership.file, receiver.file]).toEqual([`${site}${FILE}`, `${new URL(hook).origin}${FILE}`])
    expect(receiver.owner_key).toBe(ownership.owner_key)
    expect(receiver.token).not.toBe(ownership.token)
    // The site alone does not do: the receiver could be anybody's.
    pages[FILE] = ownership.token
    const again = await refusedAsStranger(await post({ base_url: site, url: hook, owner_key: ownership.owner_key }))
    expect(again.error).toContain("was not found at url.")
    expect(again.ownership.owner_key).toBe(ownership.owner_key)
    // The key of somebody else does not do, whose tokens are not there.
    const other = await refusedAsStranger(await post({ base_url: site, url: hook, owner_key: "a".repeat(43) }))
    expect(other.error).toContain("was not found on the site.")
    expect(hosts.received).toEqual([])
  })

  it("may be at a page that has the token itself, whatever the query that it is asked with", async () => {
    const { ownership, receiver } = await refusedAsStranger(await post({ base_url: site, url: hook }))
    pages[FILE] = ownership.token
    pages["/docgauge"] = `<html><head>${receiver.meta}</head></html>`
    pages["/docgauge?token=a"] = "<html></html>"
    expect((await post({ base_url: site, url: hook, owner_key: ownership.owner_key })).status).toBe(201)
    // Another page of that host has no token.
    const elsewhere = { base_url: site, url: hook.replace("/docgauge", "/other"), owner_key: ownership.owner_key }
    await refusedAsStranger(await post(elsewhere))
  })

  it("is read, tried out and deleted with its own secret only", async () => {
    const owner_key = await owned()
    const { id, secret } = await created(service, owner_key)
    hook = hook.replace("/docgauge", "/other")
    const { secret: other } = await created(service, owner_key)
    for (const wrong of [null, "", other, `${secret}x`, secret.slice(0, -1), "whsec_"])
      for (const [path, method] of [
        [id, "GET"],
        [id, "DELETE"],
        [`${id}/test`, "POST"]
      ] as const)
        expect([wrong, (await ask(path, method, wrong)).status]).toEqual([wrong, 404])
    const unknown = await ask("01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b", "GET", secret)
    expect(unknown.body).toEqual((await ask(id, "GET", other)).body)
    expect((await ask("not-an-id", "GET", secret)).status).toBe(400)
    const test = await ask(`${id}/test`, "POST", secret)
    expect([test.status, test.body]).toEqual([202, { id: expect.any(String) }])
    expect((await ask(id.toUpperCase(), "GET", secret)).body.deliveries).toMatchObject([
      { id: test.body.id, type: "webhook.test", state: "waiting", attempts: 0 }
    ])
    expect((await ask(id, "DELETE", secret)).status).toBe(204)
    expect((await ask(id, "GET", secret)).status).toBe(404)
  })

  it("gets a new secret if its owner creates it at the same URL again, also where its site has five", async () => {
    const owner_key = await owned()
    const { id, secret } = await created(service, owner_key)
    for (let index = 0; index < 4; index++)
      expect((await post({ base_url: site, url: `${hook}${index}`, owner_key })).status).toBe(201)
    const again = await created(service, owner_key)
    expect([again.id, again.secret === secret]).toEqual([id, false])
    expect([(await ask(id, "GET", secret)).status, (await ask(id, "GET", again.secret)).status]).toEqual([404, 200])
    await refusedAsStranger(await post({ base_url: site, url: hook, owner_key: "a".repeat(43) }))
    expect((await ask(id, "GET", again.secret)).status).toBe(200)
  })

  it("is one of five of its site", async () => {
    const owner_key = await owned()
    const statuses: Array<number> = []
    for (let index = 0; index < 6; index++)
      statuses.push((await post({ base_url: site, url: `${hook}${index}`, owner_key })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 422])
    expect((await post({ base_url: `${site}/v2`, url: hook, owner_key })).status).toBe(201)
  })

  it.each([
    [{ url: "https://hooks.dev" }, "base_url"],
    [{ base_url: "https://docs.dev" }, "url"],
    [{ base_url: "https://docs.dev", url: 7 }, "url"],
    [{ base_url: "https://docs.dev", url: "https://hooks.dev", events: [] }, "events"],
    [{ base_url: "https://docs.dev", url: "https://hooks.dev", events: ["audit.began"] }, "events"],
    [{ base_url: "https://docs.dev", url: "https://hooks.dev", owner_key: "short" }, "owner_key"],
    [{ base_url: "https://docs.dev", url: "ftp://hooks.dev" }, "url"],
    [{ base_url: "https://docs.dev", url: "/hook" }, "url"],
    [{ base_url: "https://docs.dev", url: "https://user:word@hooks.dev" }, "url"],
    [{ base_url: "https://docs.dev", url: "https://hooks.dev:8443" }, "url"],
    [{ base_url: "https://docs.dev", url: "https://127.0.0.1/" }, "url"],
    [{ base_url: "https://docs.dev", url: "https://169.254.169.254/latest" }, "url"],
    [{ base_url: "https://docs.dev", url: "https://hooks.internal/" }, "url"],
    [["https://docs.dev"], "The body"]
  ])("of %j is malformed, and the message begins with %s", async (body, begin) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { readonly error: string }).error.startsWith(begin)).toBe(true)
  })

  it("is not created for a URL that is too long", async () => {
    const long = `https://hooks.dev/${"x".repeat(2_048)}`
    expect((await post({ base_url: site, url: long })).status).toBe(400)
    expect((await post({ base_url: long, url: hook })).status).toBe(400)
  })

  it("is not created by a page of another site, nor by a form or by too much of a body", async () => {
    const body = { base_url: site, url: hook }
    expect((await post(body, service, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await post(body, service, { origin: "https://evil.dev" })).status).toBe(403)
    expect((await post(body, service, { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415)
    expect((await post({ ...body, more: "x".repeat(17_000) })).status).toBe(413)
  })
})

describe("other services", () => {
  let other: TestService | null = null
  afterEach(() => other?.stop())

  it("count a creation as a submission, and have a limit for it", async () => {
    other = await startService({
      dials: true,
      env: { ...env(), DOCGAUGE_SUBMIT_RATE: "2/60s", DOCGAUGE_POLL_RATE: "2/60s" }
    })
    const { id, secret } = await created(other)
    const refused = await post({ base_url: site, url: hook }, other)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "rate_limited" }])
    const tested = await ask(`${id}/test`, "POST", secret, other)
    expect([tested.status, tested.headers.get("ratelimit")]).toEqual([429, expect.stringMatching(/^"submit";r=0;/)])
    const read = await ask(id, "GET", secret, other)
    expect([read.status, read.headers.get("ratelimit")]).toEqual([200, expect.stringMatching(/^"poll";r=1;/)])
    expect((await ask(id, "DELETE", "whsec_guessed", other)).status).toBe(404)
    expect((await ask(id, "DELETE", secret, other)).status).toBe(429)
  })

  it("say that they have no webhooks where these are turned off or there is no database", async () => {
    for (const [more, reason] of [
      [{ DOCGAUGE_WEBHOOKS: "off" }, "The operator of this service has turned webhooks off."],
      [
        { DOCGAUGE_DATABASE_URL: "memory:", DOCGAUGE_ARCHIVES: "off" },
        "This service has no webhooks, because it has no database to keep them in."
      ]
    ] as const) {
      other = await startService({ dials: true, env: { ...env(), ...more } })
      const answer = await post({ base_url: site, url: hook }, other)
      expect([answer.status, await answer.json()]).toEqual([404, { error: reason }])
      await other.stop()
    }
    other = null
  })

  it("note no finished runs where webhooks are turned off, so that none is told of them when they are on again", async () => {
    const quiet = await startService({ env: { DOCGAUGE_WEBHOOKS: "off" } })
    other = quiet
    const [host, baseUrl] = ["docs.quiet.dev", "https://docs.quiet.dev"]
    const webhook = { site: host, baseUrl, url: hook, events: ["audit.finished"] } as const
    expect(await quiet.stores(WebhookStore.use((store) => store.create(webhook)))).not.toBe(null)
    expect((await quiet.submit({ base_url: baseUrl })).status).toBe(200)
    expect(await quiet.stores(DeliveryStore.use((store) => store.takeRun))).toBe(null)
  })

  it("have none for a blocked site, and delete those of a site that is taken down", async () => {
    const admin = await startAdminService({ dials: true, env: env() })
    other = admin
    const { id, secret } = await created(admin)
    const host = new URL(site).host
    await admin.admin("POST", "/sites/block", { site: host })
    expect((await post({ base_url: site, url: hook }, admin)).status).toBe(422)
    expect((await ask(id, "GET", secret, admin)).status).toBe(200)
    await admin.admin("POST", "/sites/takedown", { site: host })
    expect((await ask(id, "GET", secret, admin)).status).toBe(404)
  })
})
