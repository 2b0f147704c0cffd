import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { httpServer, type Loopback } from "../../evidence/LoopbackServers.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { dialects } from "../../store/Databases.ts"
import { FILE, notOwner, runIdOf } from "./Owners.ts"
import { startService, type TestService } from "../TestService.ts"

/** What all hosts answer, by path; anything else is a 404. */
let pages: Record<string, string> = {}
let asked: Array<string> = []
let site: Loopback
let port = 0

beforeAll(async () => {
  site = await httpServer(({ url = "" }, response) => {
    asked.push(url)
    const page = pages[url]
    response
      .writeHead(page === undefined ? 404 : 200, { "content-type": url === FILE ? "text/plain" : "text/html" })
      .end(page ?? "not here")
  })
  port = site.port
})
afterAll(() => site.close())
beforeEach(() => {
  pages = {}
  asked = []
})

const env = () => ({ DOCGAUGE_ALLOW_HTTP: "true", DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${port}` })

for (const { available, fresh, name } of dialects) {
  describe.skipIf(!available)(`a run that asks as named agents, on ${name}`, () => {
    const scope = Scope.makeUnsafe()
    let service: TestService
    beforeAll(async () => {
      const database = await Effect.runPromise(Scope.provide(fresh, scope))
      const store = database._tag === "Postgres" ? { DOCGAUGE_DATABASE_URL: Redacted.value(database.url) } : {}
      service = await startService({ dials: true, env: { ...env(), ...store } })
    })
    afterAll(async () => {
      await service.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    // A host is looked at once a minute, so each test has a host of its own.
    let hosts = 0
    let origin = ""
    beforeEach(() => {
      origin = `http://docs.owned${++hosts}.dev`
    })

    const asOwner = (owner_key?: string, path = "/docs", query = "") =>
      service.submit(
        { base_url: origin + path, as_agents: true, ...(owner_key === undefined ? {} : { owner_key }) },
        query
      )
    const stranger = (path = "/docs", query = "") => service.submit({ base_url: origin + path }, query)
    const storedAs = async (id: string) =>
      (await service.stores(RunStore.use((store) => store.find(id))))?.asAgents ?? null
    /** Publishes the token of a new owner key, and returns the key. */
    const owned = async (): Promise<string> => {
      const { ownership } = await notOwner(await asOwner())
      pages[FILE] = ownership.token
      return ownership.owner_key
    }

    it("is refused to everybody who sends no owner key, with a key and what to publish, and audits nothing", async () => {
      const before = service.auditor.audits()
      const answer = await asOwner()
      expect(answer.headers.get("cache-control")).toBe("no-store")
      const { error, ownership } = await notOwner(answer)
      expect(error).toMatch(
        /^Only the owner of a site may have it asked as AI agents\. If the site is yours, publish [\w-]{43} in http:.*, or <meta .* and submit again with the owner_key of this answer\.$/
      )
      expect(error).not.toContain(ownership.owner_key)
      expect(ownership).toEqual({
        owner_key: expect.stringMatching(/^[\w-]{43}$/),
        token: expect.stringMatching(/^[\w-]{43}$/),
        file: origin + FILE,
        meta: `<meta name="docgauge-verification" content="${ownership.token}">`
      })
      expect((await notOwner(await asOwner())).ownership.owner_key).not.toBe(ownership.owner_key)
      expect([asked, service.auditor.audits()]).toEqual([[], before])
    })

    it("is refused while the token of its key is not published, also where the site is verified or has another's token", async () => {
      const { ownership } = await notOwner(await asOwner())
      const report = await (
        await service.ask(`/r/${runIdOf(await stranger())}`, { headers: { accept: "text/html" } })
      ).text()
      const [, verifying = ""] = /docgauge-verification\W.{0,40}?([\w-]{43})/.exec(report) ?? []
      const other = await notOwner(await asOwner())
      pages[FILE] = `${verifying}\n${other.ownership.token}\n`
      const refused = await notOwner(await asOwner(ownership.owner_key))
      expect(refused.error).toMatch(/^The token of this owner_key was not found on the site\. .* publish /)
      expect(refused.ownership).toEqual(ownership)
      // What is published is no key.
      for (const published of [verifying, other.ownership.token]) await notOwner(await asOwner(published))
    })

    it("is made once the token is published in the file, shows the matrix and is stored as such", async () => {
      const key = await owned()
      const answer = await asOwner(key)
      expect(answer.status).toBe(200)
      const report = (await answer.json()) as AuditReport
      expect(report.as_agents?.agents.map(({ id }) => id)).toEqual(["claude-code", "mcp-fetch", "chatgpt"])
      const id = runIdOf(answer)
      expect(await storedAs(id)).toBe(true)
      const page = await (await service.ask(`/r/${id}`, { headers: { accept: "text/html" } })).text()
      expect(page).toContain("What each named agent is served")
      expect(await (await service.ask(`/r/${id}.md`)).text()).toContain("named agent")
      expect(await (await service.ask(`/r/${id}.json`)).json()).toEqual(report)
      expect(await (await service.ask(`/api/public/audit/${id}`)).json()).toMatchObject({ report })
      // The token stays found for a while.
      asked = []
      expect(runIdOf(await asOwner(key))).toBe(id)
      expect(asked).toEqual([])
      await notOwner(await asOwner())
    })

    it("is made once the token is in the head of its page, for that page alone", async () => {
      const { ownership } = await notOwner(await asOwner())
      pages["/docs"] = `<html><head><title>x</title>${ownership.meta}</head><body>`
      expect((await asOwner(ownership.owner_key)).status).toBe(200)
      await notOwner(await asOwner(ownership.owner_key, "/elsewhere"))
    })

    it("is not what a stranger's request joins or gets, nor the other way round", async () => {
      origin = `http://held.owned${hosts}.dev`
      const key = await owned()
      const owners = runIdOf(await asOwner(key, "/docs", "?async=true"))
      const strangers = runIdOf(await stranger("/docs", "?async=true"))
      expect(runIdOf(await asOwner(key, "/docs", "?async=true"))).toBe(owners)
      expect(runIdOf(await stranger("/docs", "?async=true"))).toBe(strangers)
      expect(strangers).not.toBe(owners)
      expect([await storedAs(owners), await storedAs(strangers)]).toEqual([true, false])
      service.auditor.release()
      const [mine, theirs] = [await asOwner(key), await stranger()]
      expect([runIdOf(mine), runIdOf(theirs)]).toEqual([owners, strangers])
      expect(await theirs.json()).not.toHaveProperty("as_agents")
      expect(await mine.json()).toHaveProperty("as_agents")
      // The service keeps in mind which report answered.
      expect(runIdOf(await asOwner(key))).toBe(owners)
      expect(runIdOf(await stranger())).toBe(strangers)
    })

    it("is asked for by a form, whose refusal is a page that leads on", async () => {
      const form = (fields: Record<string, string>) =>
        service.ask("/audit?async=true", {
          method: "POST",
          headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ base_url: `${origin}/docs`, ...fields }).toString()
        })
      const refused = await form({ as_agents: "true", owner_key: "" })
      const page = await refused.text()
      expect([refused.status, refused.headers.get("cache-control")]).toEqual([403, "no-store"])
      const [, key = ""] = /name="owner_key" value="([\w-]{43})"/.exec(page) ?? []
      const [, token = ""] = /<code id="shown-token">([\w-]{43})<\/code>/.exec(page) ?? []
      expect([key, token]).not.toContain("")
      pages[FILE] = token
      const accepted = await form({ as_agents: "true", owner_key: key })
      expect(accepted.status).toBe(303)
      expect(await storedAs(runIdOf(accepted))).toBe(true)
      expect(await storedAs(runIdOf(await form({})))).toBe(false)
      expect(await storedAs(runIdOf(await form({ owner_key: key })))).toBe(false)
    })
  })
}

describe("a request for a run that asks as named agents", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({
      dials: true,
      env: { ...env(), DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_VERIFIED_QUOTA: "2/12h" }
    })
  })
  afterAll(() => service.stop())

  it.each([
    [{ as_agents: "yes" }, "as_agents has to be true or false."],
    [{ as_agents: null }, "as_agents has to be true or false."],
    [{ as_agents: ["chatgpt"] }, "as_agents has to be true or false."],
    [{ as_agents: true, owner_key: 1 }, "owner_key has to be"],
    [{ as_agents: true, owner_key: "short" }, "owner_key has to be"]
  ])("is refused if it is malformed: %j", async (fields, error) => {
    const answer = await service.submit({ base_url: "http://docs.malformed.dev", ...fields })
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(error) }])
  })

  it("has the quota of verified sites, and takes nothing from other networks", async () => {
    const asOwner = (owner_key = "") =>
      service.submit({ base_url: "http://docs.quota.dev", as_agents: true, owner_key })
    const { ownership } = await notOwner(await asOwner())
    pages[FILE] = ownership.token
    expect((await service.submit({ base_url: "http://docs.quota.dev" })).status).toBe(200)
    expect((await asOwner(ownership.owner_key)).status).toBe(200)
  })

  it("cannot keep the owner from being found by asking with other keys", async () => {
    const asOwner = (owner_key = "", path = "") =>
      service.submit({ base_url: `http://docs.griefed.dev${path}`, as_agents: true, owner_key })
    const { ownership } = await notOwner(await asOwner())
    pages[FILE] = ownership.token
    for (let page = 0; page < 40; page++) {
      const { ownership: other } = await notOwner(await asOwner("", `/${page}`))
      await notOwner(await asOwner(other.owner_key, `/${page}`))
    }
    expect(asked.filter((path) => path === FILE)).toHaveLength(1)
    expect((await asOwner(ownership.owner_key)).status).toBe(200)
    expect(asked.filter((path) => path !== FILE).length).toBeLessThanOrEqual(12)
  })
})
