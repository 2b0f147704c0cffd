import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DashboardStore } from "../../../engine/store/operators/DashboardStore.ts"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
const runs = new Map<string, string | null>()
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  for (const host of ["docs90.best.dev", "docs40.worst.io", "www.docs70.middle.dev"])
    runs.set(host, (await service.submit({ base_url: `https://${host}` })).headers.get("x-audit-run-id"))
})
afterAll(() => service.stop())

interface Site {
  readonly base_url: string
}

interface Body {
  readonly sites?: ReadonlyArray<Site>
  readonly hits?: ReadonlyArray<Site>
  readonly window?: string
  readonly order?: string
  readonly query?: string
  readonly scores?: ReadonlyArray<{ readonly from: number; readonly to: number; readonly count: number }>
}

const json = async (path: string): Promise<Body> => JSON.parse(await (await service.ask(path)).text())
const status = async (path: string): Promise<number> => (await service.ask(path)).status
const namesOf = (sites: ReadonlyArray<Site> | undefined) => sites?.map(({ base_url }) => base_url)

describe("GET /api/public/browse/summary", () => {
  it("summarises the corpus", async () => {
    expect(await json("/api/public/browse/summary")).toMatchObject({ sites: 3, runs: 3, avg_score: 67 })
  })
})

describe("GET /api/public/browse/top", () => {
  it("lists the best sites of seven days by default", async () => {
    const { order, sites, window } = await json("/api/public/browse/top")
    expect([window, order]).toEqual(["7d", "best"])
    expect(namesOf(sites)).toEqual(["docs90.best.dev", "docs70.middle.dev", "docs40.worst.io"])
    expect(sites?.[0]).toEqual({
      base_url: "docs90.best.dev",
      latest_run_id: runs.get("docs90.best.dev"),
      canonical_url: "https://docs90.best.dev",
      reliable: true,
      run_count: 1,
      latest_run_at: expect.any(String),
      first_run_at: expect.any(String),
      latest_score: 90,
      best_score: 90,
      worst_score: 90,
      avg_score: 90
    })
  })

  it("lists the worst first, and no more than requested", async () => {
    expect(namesOf((await json("/api/public/browse/top?order=worst&limit=1&window=all")).sites)).toEqual([
      "docs40.worst.io"
    ])
  })

  it.each(["limit=0", "limit=-5", "limit=1e9", "limit=NaN", "limit=", "limit=1&limit=2"])(
    "clamps %s",
    async (query) => {
      expect(await status(`/api/public/browse/top?${query}`)).toBe(200)
    }
  )

  it.each(["window=8d", "window=", "order=random", "order=Best", "window=7d&window=30d"])(
    "answers %s with 400 without code",
    async (query) => {
      const answer = await service.ask(`/api/public/browse/top?${query}`)
      const body: Readonly<Record<string, unknown>> = JSON.parse(await answer.text())
      expect([answer.status, Object.keys(body)]).toEqual([400, ["error"]])
    }
  )
})

describe("GET /api/public/browse/stats", () => {
  it("has scores in tens, top-level domains and organisations", async () => {
    const body = await json("/api/public/browse/stats")
    expect(body.scores).toContainEqual({ from: 90, to: 100, count: 1 })
    expect(body).toMatchObject({
      tlds: [
        { tld: "dev", count: 2 },
        { tld: "io", count: 1 }
      ]
    })
    expect(body).toMatchObject({ organisations: expect.arrayContaining([{ organisation: "middle.dev", count: 1 }]) })
    expect(body).toMatchObject({
      criteria: [{ id: "A1", present: 2, partial: 1, absent: 0, inconclusive: 0, not_applicable: 0 }, { id: "D3" }]
    })
  })
})

describe("GET /api/public/browse/search", () => {
  it("finds case-insensitive substrings of URL or host", async () => {
    expect(namesOf((await json("/api/public/browse/search?q=DDLE")).hits)).toEqual(["docs70.middle.dev"])
    expect(namesOf((await json("/api/public/browse/search?q=docs")).hits)).toHaveLength(3)
    expect(namesOf((await json("/api/public/browse/search?q=docs&limit=2")).hits)).toHaveLength(2)
  })

  it("echoes the query, and finds nothing without one", async () => {
    expect(await json("/api/public/browse/search")).toEqual({ query: "", hits: [] })
    expect(await json("/api/public/browse/search?q=")).toEqual({ query: "", hits: [] })
    expect(await json("/api/public/browse/search?q=%25_%27%22%3B--")).toEqual({ query: "%_'\";--", hits: [] })
  })

  it.each(["a", "%", "é", "\u{1f600}", "*", '"', "NEAR(a b)", "a OR b"])("takes %s for text", async (text) => {
    expect(await status(`/api/public/browse/search?q=${encodeURIComponent(text)}`)).toBe(200)
  })
})

describe("GET /api/public/sites", () => {
  const answerOf = async (query: string): Promise<readonly [number, unknown]> => {
    const answer = await service.ask(`/api/public/sites?${query}`)
    return [answer.status, JSON.parse(await answer.text())]
  }
  const list = (names: ReadonlyArray<string>) => `sites=${encodeURIComponent(names.join(","))}`

  it.each(["docs90.best.dev", "https://docs90.best.dev/", "https://www.docs90.best.dev/#top"])(
    "leads from %s to its newest report",
    async (url) => {
      const [status, site] = await answerOf(`base_url=${encodeURIComponent(url)}`)
      expect([status, site]).toMatchObject([
        200,
        { base_url: "docs90.best.dev", latest_run_id: runs.get("docs90.best.dev"), latest_score: 90 }
      ])
    }
  )

  it("leads to the newest finished run, and not to one that failed or is under way", async () => {
    await service.submit({ base_url: "https://docs20.again.dev" })
    const second = await service.submit({ base_url: "https://docs20.again.dev" })
    const [, site] = await answerOf("base_url=docs20.again.dev")
    expect(site).toMatchObject({ run_count: 2, latest_run_id: second.headers.get("x-audit-run-id") })
    await service.submit({ base_url: "https://held.fresh.dev" }, "?async=true")
    expect(await answerOf("base_url=held.fresh.dev")).toMatchObject([404, { code: "not_found" }])
  })

  it("answers 404 not_found for a site without a finished audit, and 400 for what is no URL", async () => {
    expect(await answerOf("base_url=docs.unknown.dev")).toMatchObject([404, { code: "not_found" }])
    expect(await answerOf("base_url=https://%20")).toMatchObject([400, { code: "invalid_base_url" }])
  })

  it("lists several sites in the order of the request, each once, and what is unknown as it was written", async () => {
    const asked = ["docs40.worst.io", "nobody.dev", "https://docs90.best.dev/", "docs90.best.dev", "a b"]
    expect(await answerOf(list(asked))).toMatchObject([
      200,
      {
        sites: [
          { base_url: "docs40.worst.io", latest_run_id: runs.get("docs40.worst.io") },
          { base_url: "docs90.best.dev" }
        ],
        unknown: ["nobody.dev", "a b"]
      }
    ])
  })

  it("takes 50 sites and refuses 51, none, and both parameters, saying what to send", async () => {
    const names = Array.from({ length: 51 }, (_, index) => `docs${index}.many.dev`)
    expect(await answerOf(list(names.slice(1)))).toMatchObject([200, { sites: [], unknown: { length: 50 } }])
    const tooMany = { error: "sites names 51 sites. Send 1 to 50, separated by commas." }
    expect(await answerOf(list(names))).toEqual([400, tooMany])
    const neither = { error: "Send either base_url, for one site, or sites, for several separated by commas." }
    expect(await answerOf("")).toEqual([400, neither])
    expect(await answerOf("base_url=a.dev&sites=b.dev")).toEqual([400, neither])
  })
})

describe("entity tags", () => {
  const PATHS = [
    "/api/public/sites?base_url=docs90.best.dev",
    "/api/public/browse/summary",
    "/api/public/browse/top",
    "/api/public/browse/stats",
    "/api/public/browse/search?q=docs",
    "/openapi.json",
    "/openapi.yaml"
  ]

  const tagOf = async (path: string, coding = "identity"): Promise<string> =>
    (await service.ask(path, { headers: { "accept-encoding": coding } })).headers.get("etag") ?? ""

  const withTag = async (path: string, ifNoneMatch: string) => {
    const answer = await service.ask(path, { headers: { "if-none-match": ifNoneMatch, "accept-encoding": "identity" } })
    return [answer.status, (await answer.text()) === "" ? "empty" : "body"]
  }

  it.each(PATHS)("%s has a strong one, and answers 304 with no body where it still holds", async (path) => {
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(await withTag(path, tag)).toEqual([304, "empty"])
    expect(await withTag(path, `"other", ${tag}`)).toEqual([304, "empty"])
    expect(await withTag(path, `W/${tag}`)).toEqual([304, "empty"])
    expect(await withTag(path, "*")).toEqual([304, "empty"])
    expect(await withTag(path, '"other"')).toEqual([200, "body"])
    expect(await withTag(path, tag.replaceAll('"', ""))).toEqual([200, "body"])
  })

  it("differ by coding, and each is recognised", async () => {
    const [plain, brotli] = [await tagOf("/openapi.json"), await tagOf("/openapi.json", "br")]
    expect(brotli).not.toBe(plain)
    expect(await withTag("/openapi.json", brotli)).toEqual([304, "empty"])
  })

  it("change with the content", async () => {
    const before = await tagOf("/api/public/browse/summary")
    await service.submit({ base_url: "https://docs55.new.dev" })
    expect(await tagOf("/api/public/browse/summary")).not.toBe(before)
  })
})

describe("GET /api/public/dashboard", () => {
  const put = (slug: string, isPublic: boolean) =>
    service.stores(
      DashboardStore.use((store) =>
        store.put({
          slug,
          title: "Ours",
          isPublic,
          definition: JSON.stringify({
            widgets: [
              { kind: "site_trend", title: "Best", site: "docs90.best.dev" },
              { kind: "top_sites", title: "Top", order: "best", limit: 2 },
              { kind: "corpus", title: "All" }
            ]
          })
        })
      )
    )

  it("is warming at first, then has its widgets", async () => {
    await put("ours", true)
    const first = await service.ask("/api/public/dashboard?slug=ours")
    expect([first.status, await first.json(), first.headers.get("retry-after")]).toEqual([
      202,
      { status: "warming" },
      "2"
    ])
    await expect.poll(() => status("/api/public/dashboard?slug=ours")).toBe(200)
    expect(JSON.parse(await (await service.ask("/api/public/dashboard?slug=ours")).text())).toMatchObject({
      slug: "ours",
      title: "Ours",
      bucket: "90d",
      widgets: [
        { kind: "site_trend", title: "Best", site: "docs90.best.dev", points: [{ score: 90 }] },
        { kind: "top_sites", order: "best", sites: [{ base_url: "docs90.best.dev" }, {}] },
        { kind: "corpus", summary: { runs: expect.any(Number) } }
      ]
    })
  })

  it("answers 403 if it is not public", async () => {
    await put("secret", false)
    const answer = await service.ask("/api/public/dashboard?slug=secret")
    expect([answer.status, Object.keys(JSON.parse(await answer.text()))]).toEqual([403, ["error"]])
  })

  it("answers 404 not_found if it does not exist", async () => {
    const answer = await service.ask("/api/public/dashboard?slug=nobody")
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }])
  })

  it.each(["", "?slug=", "?slug=ours&bucket=7d", "?slug=ours&bucket=", "?slug=a&slug=b", `?slug=${"x".repeat(300)}`])(
    "answers 400 without code for %s",
    async (query) => {
      const answer = await service.ask(`/api/public/dashboard${query}`)
      expect([answer.status, Object.keys(JSON.parse(await answer.text()))]).toEqual([400, ["error"]])
    }
  )
})
