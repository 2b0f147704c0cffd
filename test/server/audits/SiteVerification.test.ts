import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import { setTimeout } from "node:timers/promises"
import { SqlClient } from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isInFile, isInHead, tokenOf } from "../../../server/audits/VerificationToken.ts"
import { backends, onServer } from "../../store/Databases.ts"
import { startService, type TestService } from "../TestService.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

interface Refusal {
  readonly error: string
  readonly code: string
  readonly retry_after: number
  readonly run_id: string
  readonly verification?: { readonly token: string; readonly file: string; readonly meta: string; readonly then: string }
}

/** What the site answers, by path; anything else is a 404, and `hang` never answers. */
let pages: Record<string, string> = {}
let asked: Array<string> = []
let site: Server
let origin = ""

beforeAll(async () => {
  site = createServer(({ url = "" }, response) => {
    asked.push(url)
    const page = pages[url]
    if (page === "hang") return
    if (page?.startsWith("http")) response.writeHead(302, { location: page }).end()
    else response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page ?? "not here")
  })
  await new Promise<void>((resolve) => { site.listen(0, "127.0.0.1", resolve) })
  const address = site.address()
  origin = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
})
afterAll(() => { site.close(); site.closeAllConnections() })
beforeEach(() => { pages = {}; asked = [] })

const FILE = "/.well-known/docgauge-verification.txt"

const ENV = {
  DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_VERIFIED_QUOTA: "1/1s", DOCGAUGE_TARGET_WINDOW: "off",
  DOCGAUGE_ALLOW_PRIVATE: "true", DOCGAUGE_ALLOW_HTTP: "true"
}

const database = `docgauge_test_${randomBytes(6).toString("hex")}`
const statement = (text: string) => Effect.runPromise(onServer(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text))))

for (const { available, name } of backends) {
  describe.skipIf(!available)(`a site whose quota is used up, on ${name}`, () => {
    let service: TestService
    beforeAll(async () => {
      if (name === "PostgreSQL") await statement(`CREATE DATABASE ${database}`)
      const store = name === "PostgreSQL" ? { DOCGAUGE_DATABASE_URL: `postgres://postgres@127.0.0.1:5432/${database}` } : {}
      service = await startService({ dials: true, env: { ...ENV, ...store } })
    }, 60_000)
    afterAll(async () => {
      await service.stop()
      if (name === "PostgreSQL") await statement(`DROP DATABASE ${database} WITH (FORCE)`)
    })

    const submit = (path: string) => service.submit({ base_url: origin + path })
    const refused = async (path: string): Promise<Refusal> => {
      const answer = await submit(path)
      expect(answer.status).toBe(429)
      return await answer.json() as Refusal
    }
    const token = async () => (await refused("/first")).verification?.token ?? ""

    it("is told when the next audit is possible, and how its owner can have it sooner", async () => {
      expect((await submit("/first")).status).toBe(200)
      expect(asked).toEqual([])
      const { error, retry_after, verification } = await refused("/first")
      expect(error).toMatch(/^This site was audited just now for your network\. Read that report\. You can audit the site again in (?:24 hours|23 hours and 60 minutes), or run npx docgauge URL now\. If the site is yours, publish [\w-]{43} in http:/)
      expect(retry_after).toBeGreaterThan(86_000)
      expect(verification).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), file: origin + FILE, meta: `<meta name="docgauge-verification" content="${verification?.token ?? ""}">`, then: "once every second" })
      expect(asked.toSorted()).toEqual([FILE, "/first"])
    })

    it("is looked at again after a minute at the earliest", async () => {
      pages[FILE] = await token()
      await refused("/first")
      expect(asked).toEqual([])
    })

    it("can be audited again once its owner publishes the token in a file, and waits again after that", async () => {
      pages[FILE] = `# docs\n${await token()}\n`
      expect((await submit("/file")).status).toBe(200)
      await setTimeout(1_100)
      expect((await submit("/file")).status).toBe(200)
      const { retry_after, verification } = await refused("/file")
      expect([retry_after, verification]).toEqual([1, undefined])
      expect(asked.filter((path) => path === FILE).length).toBe(1)
    })

    it("can be audited again once the token is in the head of its page", async () => {
      pages["/page"] = `<html><head><title>x</title><meta content='${await token()}' name=docgauge-verification></head><body>`
      expect((await submit("/page")).status).toBe(200)
      await setTimeout(1_100)
      expect((await submit("/page")).status).toBe(200)
    })

    it("is not verified by a token behind a redirect to another host", async () => {
      pages["/away"] = pages[FILE] = `http://localhost:${new URL(origin).port}/elsewhere`
      pages["/elsewhere"] = await token()
      expect((await submit("/away")).status).toBe(200)
      await setTimeout(1_100)
      expect((await refused("/away")).verification?.token).toBe(pages["/elsewhere"])
      expect(asked).not.toContain("/elsewhere")
    })

    it("answers within seconds if the site never does", async () => {
      pages["/slow"] = pages[FILE] = "hang"
      expect((await submit("/slow")).status).toBe(200)
      const started = performance.now()
      await refused("/slow")
      expect(performance.now() - started).toBeLessThan(20_000)
    }, 120_000)

    it("shows the token on the page of its report, and counts down on the page of a refused form", async () => {
      const { run_id, verification } = await refused("/first")
      const report = await (await service.ask(`/r/${run_id}`, { headers: { accept: "text/html" } })).text()
      expect(report).toContain(verification?.token)
      const form = await service.ask("/audit?async=true", {
        method: "POST", headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" }, body: new URLSearchParams({ base_url: `${origin}/first` }).toString()
      })
      const page = await form.text()
      expect([form.status, page]).toEqual([429, expect.stringMatching(/data-next-audit="8\d{4}"/)])
      expect(page).toContain(verification?.token)
      expect(page).not.toContain("If the site is yours, publish")
    })
  })
}

describe("a service that does not verify sites", () => {
  it("asks no site, and offers nothing", async () => {
    const service = await startService({ env: { ...ENV, DOCGAUGE_VERIFIED_QUOTA: "off" } })
    try {
      expect((await service.submit({ base_url: `${origin}/off` })).status).toBe(200)
      const answer = await service.submit({ base_url: `${origin}/off` })
      expect([answer.status, await answer.json()]).toEqual([429, expect.not.objectContaining({ verification: expect.anything() })])
      expect(asked).toEqual([])
    } finally {
      await service.stop()
    }
  })
})

describe("the token", () => {
  const key = Buffer.alloc(32, 7)

  it("belongs to a host with its port, whatever the path", () => {
    expect(tokenOf(key, "https://docs.example.com/a")).toBe(tokenOf(key, "https://docs.example.com/b/c"))
    expect(new Set(["https://docs.example.com", "https://example.com", "https://docs.example.com:8443"].map((url) => tokenOf(key, url))).size).toBe(3)
    expect(tokenOf(key, "https://docs.example.com")).not.toBe(tokenOf(Buffer.alloc(32, 8), "https://docs.example.com"))
  })

  it("counts on a line of its own of the file only", () => {
    expect(isInFile("a\r\n  token \r\n", "token")).toBe(true)
    expect(isInFile("xtoken", "token")).toBe(false)
  })

  it.each([
    ["in the body", "<head></head><body><meta name=\"docgauge-verification\" content=\"token\">"],
    ["in a comment", "<head><!-- <meta name=\"docgauge-verification\" content=\"token\"> --></head>"],
    ["under another name", "<head><meta name=\"description\" content=\"token\"></head>"],
    ["in part", "<head><meta name=\"docgauge-verification\" content=\"token2\"></head>"]
  ])("does not count %s", (_, html) => expect(isInHead(html, "token")).toBe(false))

  it("takes linear time to look for in a hostile page", () => {
    const started = cpuMs()
    isInHead("<meta ".repeat(40_000), "token")
    isInHead("<!--".repeat(60_000), "token")
    expect(cpuMs() - started).toBeLessThan(5_000)
  })
})
