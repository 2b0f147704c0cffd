import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { httpServer, type Loopback } from "../../evidence/LoopbackServers.ts"
import { type HopAnswer, Transport } from "../../../engine/evidence/Transport.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { layerMemory } from "../../../engine/limit/LimitStore.ts"
import { ServerKey } from "../../../engine/store/operators/ServerKey.ts"
import { LookupTurns } from "../../../server/audits/LookupTurns.ts"
import { SiteVerification } from "../../../server/audits/SiteVerification.ts"
import { metaContents } from "../../../server/audits/VerificationElement.ts"
import { linesOf, tokenOf } from "../../../server/audits/VerificationTokens.ts"
import { dialects } from "../../store/Databases.ts"
import { startService, type TestService } from "../TestService.ts"

interface Refusal {
  readonly error: string
  readonly code: string
  readonly retry_after: number
  readonly run_id: string
  readonly verification?: {
    readonly token: string
    readonly file: string
    readonly meta: string
    readonly then: string
  }
}

/** What all hosts answer, by path; anything else is a 404, and `hang` never answers. The file is text, unless it is set; pages are HTML. */
let pages: Record<string, string> = {}
let fileType = "text/plain"
let asked: Array<string> = []
let site: Loopback
let port = 0

beforeAll(async () => {
  site = await httpServer(({ url = "" }, response) => {
    asked.push(url)
    const page = pages[url]
    if (page === "hang") return
    if (page?.startsWith("http")) response.writeHead(302, { location: page }).end()
    else
      response
        .writeHead(page === undefined ? 404 : 200, {
          "content-type": url === FILE ? fileType : "text/html; charset=utf-8"
        })
        .end(page ?? "not here")
  })
  port = site.port
})
afterAll(() => site.close())
beforeEach(() => {
  pages = {}
  fileType = "text/plain"
  asked = []
})

const FILE = "/.well-known/docgauge-verification.txt"

// A verified site has one audit more than others, and no window ends while a test runs, however slow the machine is.
const ENV = {
  DOCGAUGE_SITE_QUOTA: "1/24h",
  DOCGAUGE_VERIFIED_QUOTA: "2/12h",
  DOCGAUGE_TARGET_WINDOW: "off",
  DOCGAUGE_ALLOW_HTTP: "true"
}

for (const { available, fresh, name } of dialects) {
  describe.skipIf(!available)(`a site whose quota is used up, on ${name}`, () => {
    const scope = Scope.makeUnsafe()
    let service: TestService
    beforeAll(async () => {
      const database = await Effect.runPromise(Scope.provide(fresh, scope))
      const store = database._tag === "Postgres" ? { DOCGAUGE_DATABASE_URL: Redacted.value(database.url) } : {}
      service = await startService({
        dials: true,
        env: { ...ENV, ...store, DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${port}` }
      })
    })
    afterAll(async () => {
      await service.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    // The file of a host is looked at once a minute, so each test has a host of its own.
    let hosts = 0
    let origin = ""
    beforeEach(() => {
      origin = `http://site${++hosts}.dev`
    })

    const submit = (path: string) => service.submit({ base_url: origin + path })
    const refused = async (path: string): Promise<Refusal> => {
      const answer = await submit(path)
      expect(answer.status).toBe(429)
      return (await answer.json()) as Refusal
    }
    /** The token of the host, from the page of a report: nothing is looked at for that. */
    const token = async (): Promise<string> => {
      const runId = (await submit("/token")).headers.get("x-audit-run-id")
      const report = await (await service.ask(`/r/${runId}`, { headers: { accept: "text/html" } })).text()
      const [, found] = /docgauge-verification\W.{0,40}?([\w-]{43})/.exec(report) ?? []
      if (found === undefined) throw new Error("the page of the report shows no token")
      return found
    }

    it("is told when the next audit is possible, and how its owner can have it sooner", async () => {
      expect((await submit("/first")).status).toBe(200)
      expect(asked).toEqual([])
      const { error, retry_after, verification } = await refused("/first")
      expect(error).toMatch(
        /^This site was audited just now for your network\. Read that report\. You can audit the site again in (?:24 hours|23 hours and 60 minutes), or run npx docgauge URL now\. If the site is yours, publish [\w-]{43} in http:/
      )
      expect(retry_after).toBeGreaterThan(86_000)
      expect(verification).toEqual({
        token: expect.stringMatching(/^[\w-]{43}$/),
        file: origin + FILE,
        meta: `<meta name="docgauge-verification" content="${verification?.token ?? ""}">`,
        then: "2 times every 12 hours"
      })
      expect(asked.toSorted()).toEqual([FILE, "/first"])
    })

    it("is looked at again after a minute at the earliest, however its URL is spelt", async () => {
      await submit("/first")
      pages[FILE] = pages["/first"] = "nothing"
      await refused("/first")
      asked = []
      pages[FILE] = await token()
      for (const path of ["/first", "//first/", "/first;1", "/first/index.html"]) await refused(path)
      expect(asked).toEqual([])
    })

    it("is not verified by a token within a line of other words, which anybody may have had published", async () => {
      await submit("/first")
      pages["/first"] = "nothing"
      const own = await token()
      pages[FILE] = `Somebody wrote ${own} here\n`
      expect((await refused("/first")).verification?.token).toBe(own)
    })

    it("can be audited again once its owner publishes the token in a file, and waits again after that", async () => {
      pages[FILE] = `# docs\n${await token()}\n`
      expect((await submit("/file")).status).toBe(200)
      expect((await submit("/file")).status).toBe(200)
      const { retry_after, verification } = await refused("/file")
      expect(retry_after).toBeGreaterThan(42_000)
      expect(retry_after).toBeLessThanOrEqual(43_200)
      expect(verification).toBeUndefined()
      expect(asked).toEqual(expect.arrayContaining([FILE, "/file"]))
      expect(asked.length).toBe(2)
    })

    it("can be audited again once the token is in the head of its page", async () => {
      pages["/page"] =
        `<html><head><title>x</title><meta content='${await token()}' name=docgauge-verification></head><body>`
      expect((await submit("/page")).status).toBe(200)
      expect((await submit("/page")).status).toBe(200)
    })

    it("is verified by its file however slow its page is", async () => {
      pages[FILE] = await token()
      pages["/slow"] = "hang"
      expect((await submit("/slow")).status).toBe(200)
      expect((await submit("/slow")).status).toBe(200)
    })

    it("is not verified by a file that is an HTML page", async () => {
      pages[FILE] = `<p>\n${await token()}\n</p>`
      fileType = "text/html"
      expect((await submit("/html")).status).toBe(200)
      await refused("/html")
    })

    it("is not verified by a page that is no HTML", async () => {
      fileType = "application/json"
      pages["/text"] = `${origin}${FILE}`
      pages[FILE] = `<meta name=docgauge-verification content=${await token()}>`
      expect((await submit("/text")).status).toBe(200)
      await refused("/text")
      expect(asked.toSorted()).toEqual([FILE, FILE, "/text"])
    })

    it("is not verified by a token behind a redirect to another host", async () => {
      pages["/away"] = pages[FILE] = "http://elsewhere.dev/elsewhere"
      pages["/elsewhere"] = await token()
      expect((await submit("/away")).status).toBe(200)
      expect((await refused("/away")).verification?.token).toBe(pages["/elsewhere"])
      expect(asked).not.toContain("/elsewhere")
    })

    it("answers if the site never does", async () => {
      pages["/slow"] = pages[FILE] = "hang"
      expect((await submit("/slow")).status).toBe(200)
      await refused("/slow")
    })

    it("shows the token on the page of its report, and counts down on the page of a refused form", async () => {
      await submit("/first")
      const { run_id, verification } = await refused("/first")
      const report = await (await service.ask(`/r/${run_id}`, { headers: { accept: "text/html" } })).text()
      expect(report).toContain(verification?.token)
      const form = await service.ask("/audit?async=true", {
        method: "POST",
        headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ base_url: `${origin}/first` }).toString()
      })
      const page = await form.text()
      expect([form.status, page]).toEqual([429, expect.stringMatching(/data-next-audit="8\d{4}"/)])
      expect(page).toContain(verification?.token)
      expect(page).not.toContain("If the site is yours, publish")
    })
  })
}

describe("the share of a domain's budget that is kept for its verified sites", () => {
  it("is for their owners also before the quota of a site refuses them", async () => {
    // 80 requests of each audit are sent, 200 are reserved for one, and 200 of 400 are kept.
    const service = await startService({
      dials: true,
      env: { ...ENV, DOCGAUGE_HOST_BUDGET: "540/24h", DOCGAUGE_RESOLVE: `*:80:127.0.0.1:${port}` }
    })
    const submit = (path: string) => service.submit({ base_url: `http://kept.dev${path}` })
    const first = (await submit("/one")).headers.get("x-audit-run-id")
    const report = await (await service.ask(`/r/${first}`, { headers: { accept: "text/html" } })).text()
    const [, token = ""] = /docgauge-verification\W.{0,40}?([\w-]{43})/.exec(report) ?? []
    pages[FILE] = token
    // The quota refuses this one, so the site is looked at, and is verified from now on.
    expect((await submit("/one")).status).toBe(200)
    expect((await submit("/two")).status).toBe(200)
    await service.stop()
  })
})

describe("looks at a site", () => {
  const KEY = Buffer.alloc(32, 7)
  const OFF = {
    submit: null,
    targetWindowMs: null,
    poll: null,
    browse: null,
    fix: null,
    hostBudget: null,
    clientRuns: null,
    networkRuns: null,
    queueLimit: null
  }
  const limits = Limits.layerOf({
    ...OFF,
    siteQuota: { amount: 1, windowMs: 86_400_000 },
    verifiedQuota: { amount: 1, windowMs: 1_000 }
  })
  const meta = { peer: null, sentAt: 0, firstByteMs: 0, attempts: 1 }
  const NETWORK = "192.0.2.0/24"
  let looks = 0
  const slow = new Set<string>()
  const transport = Layer.succeed(Transport, {
    send: ({ asked: { url } }) =>
      Effect.suspend(() => {
        if (!new URL(url).hostname.endsWith(".slow.dev")) return answer(url)
        slow.add(url)
        return Effect.ensuring(
          Effect.never,
          Effect.sync(() => slow.delete(url))
        )
      })
  })
  const answer = (url: string): Effect.Effect<HopAnswer> =>
    Effect.sync(() => {
      looks++
      const body = Buffer.from(
        url.endsWith("/owned") ? `<meta name=docgauge-verification content=${tokenOf(KEY, url)}>` : ""
      )
      return {
        _tag: "HopAnswer",
        status: 200,
        headers: [["content-type", "text/html"]],
        body,
        cut: false,
        wireBytes: body.length,
        meta
      }
    })
  const layer = SiteVerification.layerOver.pipe(
    Layer.provide([
      LookupTurns.layer,
      transport,
      limits.pipe(Layer.provide(layerMemory)),
      Layer.succeed(ServerKey, { get: Effect.succeed(KEY), reportSigning: Effect.succeed(KEY) })
    ])
  )

  it("are of one site at a time for one network, by two requests, for 5 s at most, and keep no other network waiting", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { isVerified } = yield* SiteVerification
        const hosts = () => new Set([...slow].map((url) => new URL(url).hostname)).size
        const looks = yield* Effect.forEach([1, 2, 3, 4], (index) =>
          Effect.forkChild(isVerified(`https://docs.site${index}.slow.dev/`, NETWORK))
        )
        yield* TestClock.adjust("1 millis")
        expect([hosts(), slow.size]).toEqual([1, 2])
        expect(yield* isVerified("https://docs.quick.dev/owned", "203.0.113.0/24")).toBe(true)
        yield* TestClock.adjust("5 seconds")
        expect(hosts()).toBe(0)
        expect(yield* Effect.forEach(looks, Fiber.join)).toEqual([false, false, false, false])
      }).pipe(Effect.provide(layer), Effect.provide(TestClock.layer()), Effect.scoped)
    ))

  it("are 12 in 10 minutes, and what was not looked at is not taken for unverified", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { isVerified } = yield* SiteVerification
        looks = 0
        for (let page = 0; page < 20; page++)
          expect(yield* isVerified(`https://docs.many.dev/${page}`, NETWORK)).toBe(false)
        expect(looks).toBe(12)
        expect(yield* isVerified("https://docs.many.dev/owned", NETWORK)).toBe(false)
        expect(looks).toBe(12)
        yield* TestClock.adjust("51 seconds")
        expect(yield* isVerified("https://docs.many.dev/owned", NETWORK)).toBe(true)
        expect(looks).toBe(13)
      }).pipe(Effect.provide(layer), Effect.provide(TestClock.layer()), Effect.scoped)
    ))
})

describe("a service that does not verify sites", () => {
  it("asks no site, and offers nothing", async () => {
    const service = await startService({ env: { ...ENV, DOCGAUGE_VERIFIED_QUOTA: "off" } })
    try {
      expect((await service.submit({ base_url: "https://off.dev/off" })).status).toBe(200)
      const answer = await service.submit({ base_url: "https://off.dev/off" })
      expect([answer.status, await answer.json()]).toEqual([
        429,
        expect.not.objectContaining({ verification: expect.anything() })
      ])
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
    expect(
      new Set(
        ["https://docs.example.com", "https://example.com", "https://docs.example.com:8443"].map((url) =>
          tokenOf(key, url)
        )
      ).size
    ).toBe(3)
    expect(tokenOf(key, "https://docs.example.com")).not.toBe(tokenOf(Buffer.alloc(32, 8), "https://docs.example.com"))
  })

  it("counts on a line of its own of the file only", () => {
    expect(linesOf("a\r\n  token \r\n").has("token")).toBe(true)
    expect(linesOf("xtoken").has("token")).toBe(false)
  })

  it.each([
    ["in the body", '<head></head><body><meta name="docgauge-verification" content="token">'],
    ["in a comment", '<head><!-- <meta name="docgauge-verification" content="token"> --></head>'],
    ["under another name", '<head><meta name="description" content="token"></head>'],
    ["in part", '<head><meta name="docgauge-verification" content="token2"></head>'],
    ["in a script", "<head><script>var q = '<meta name=docgauge-verification content=token>'</script></head>"],
    ["in the title", "<head><title>Search: <meta name=docgauge-verification content=token></title></head>"],
    [
      "in an attribute",
      "<head><meta name=description content='<meta name=docgauge-verification content=token>'></head>"
    ],
    [
      "in a style, a noscript or a template",
      ["style", "noscript", "template"]
        .map((name) => `<head><${name}><meta name=docgauge-verification content=token></${name}></head>`)
        .join("")
    ],
    [
      "in a script that a script is quoted in",
      "<head><script>var q = '<!--<script></script><meta name=docgauge-verification content=token>'</script></head>"
    ],
    ["behind a head", "<head></head><meta name=docgauge-verification content=token>"],
    ["in a body without tags around it", "<p>hello <meta name=docgauge-verification content=token>"],
    ["in plain text", "not found: <meta name=docgauge-verification content=token>"]
  ])("does not count %s", (_, html) => expect(metaContents(html, "docgauge-verification").has("token")).toBe(false))

  it.each([
    [
      "in a head",
      "<!doctype html><html><head><title>x</title><META NAME=docgauge-verification CONTENT=' token '></head>"
    ],
    ["in a head without tags", "<meta name=docgauge-verification content=token><title>x</title>"],
    [
      "behind other elements of a head",
      "<html><head><noscript><img src=x></noscript><template><p><template></template><meta></p></template><style>p {}</style><meta name=docgauge-verification content=token>"
    ],
    ["before the page is cut", "<head><meta name=docgauge-verification content=token><script>var x = '"]
  ])("counts %s", (_, html) => expect(metaContents(html, "docgauge-verification").has("token")).toBe(true))
})
