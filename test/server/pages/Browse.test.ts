import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseOf, layerDatabase } from "../../../engine/store/Database.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { sitePath } from "../../../server/pages/kit/PageQuery.ts"
import { grouped, percent } from "../../../engine/plugin/Wording.ts"
import { seed } from "../../bench/seed.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService, type TestService } from "../TestService.ts"
import { keepRun } from "./KeptRun.ts"
import { seenPage, textsOf } from "./SeenPage.ts"

const json = async (service: TestService, path: string) => JSON.parse(await (await service.ask(path)).text())

describe("an empty corpus", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it.each(["/browse", "/browse/top?window=all", "/browse/stats"])("%s says what to do", async (path) => {
    const page = await seenPage(service, path)
    expect([page.answer.status, textsOf(page, ".empty p")]).toEqual([
      200,
      ["Nothing has been audited yet.", "Audit the first site"]
    ])
    expect(page.$(".empty a").attr("href")).toBe("/")
    expect(page.$("main svg, main table").length).toBe(0)
  })

  it("has leaderboards with a link from an empty week to all time", async () => {
    const page = await seenPage(service, "/browse/top")
    expect(textsOf(page, ".empty p")).toEqual(["No site was audited in the last 7 days.", "Show all time"])
  })

  it("finds nothing, and offers an audit", async () => {
    const page = await seenPage(service, "/browse/search?q=example")
    expect(page.$("[data-search-status]").text()).toBe("No audited site has “example” in its URL.")
    expect(page.$("[data-search-hits]").text()).toBe("Audit a site that is not listed yet.")
  })

  it.each(["", "?site=", "?site=docs.example.com", `?site=${"x".repeat(2_048)}`])("has no site %#", async (query) => {
    expect((await seenPage(service, `/browse/site${query}`)).answer.status).toBe(404)
  })

  it.each(["x".repeat(2_049), `x${"/".repeat(8_000)}x`])(
    "refuses the URL of a site that is longer than 2,048 characters, %#",
    async (site) => {
      expect((await seenPage(service, `/browse/site?site=${site}`)).answer.status).toBe(400)
    }
  )
})

describe("a site that part of the criteria do not apply to", () => {
  it("has what its score is out of on the leaderboards, and a site that all apply to has not", async () => {
    const service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
    const report = reportOf("https://docs.library.dev", 39)
    const [A1, D3] = report.criteria
    if (A1 === undefined || D3 === undefined) throw new Error("the report has no criteria")
    await keepRun(service, { ...report, criteria: [A1, { ...D3, max: 30, score: 0, applicable: false }] })
    await keepRun(service, reportOf("https://docs.api.dev", 38))
    const page = await seenPage(service, "/browse/top?window=all")
    await service.stop()
    expect(textsOf(page, ".sites tbody tr")).toEqual([
      expect.stringMatching(/docs\.library\.dev\s*39\s*of the 70 that apply/),
      expect.not.stringContaining("that apply")
    ])
  })
})

describe("one run", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.submit({ base_url: "https://docs70.only.dev" })
  })
  afterAll(() => service.stop())

  it("is the whole overview", async () => {
    const page = await seenPage(service, "/browse")
    expect(textsOf(page, ".figures dd").slice(0, 3)).toEqual(["1", "1", "70 / 100"])
    expect(textsOf(page, "tbody th")).toEqual(["docs70.only.dev", "docs70.only.dev"])
    expect(textsOf(page, ".plot-value")).toEqual(["1"])
  })

  it.each(["https://www.docs70.only.dev/", "HTTPS://DOCS70.only.dev", "docs70.only.dev/", "www.docs70.only.dev"])(
    "has a page of its site that %s leads to",
    async (address) => {
      const answer = await fetch(`${service.url}/browse/site?site=${encodeURIComponent(address)}`)
      expect([answer.status, answer.redirected, new URL(answer.url).searchParams.get("site")]).toEqual([
        200,
        true,
        "docs70.only.dev"
      ])
    }
  )

  it("offers its report, another audit, the badge and comparisons on the page of its site", async () => {
    const page = await seenPage(service, "/browse/site?site=docs70.only.dev")
    const {
      sites: [site]
    }: { readonly sites: ReadonlyArray<{ readonly canonical_url: string }> } = await json(
      service,
      "/api/public/browse/top?window=all"
    )
    const report = page.$(".action-row a").attr("href") ?? ""
    expect((await seenPage(service, report)).answer.status).toBe(200)
    expect([page.$("form[method=post]").attr("action"), page.$("input[name=base_url]").attr("value")]).toEqual([
      "/audit?async=true",
      site?.canonical_url
    ])
    expect(page.$(".site-actions").text()).toContain("Within 10 minutes of an audit you get its report again.")
    expect(page.$("form.other-site").attr("action")).toBe(`${report}/compare`)
    expect(page.$(".badge").attr("src")).toBe("/badge.svg?base_url=docs70.only.dev")
  })

  it("is on the page of its site, without a chart", async () => {
    const page = await seenPage(service, "/browse/site?site=docs70.only.dev")
    expect(textsOf(page, ".figures dt")).toEqual(["Newest score", "Level"])
    expect(textsOf(page, ".figures dd")).toEqual(["70 / 100", "Workable"])
    expect([page.$("#over-time").length, page.$(".pager").length, textsOf(page, "tbody .links a")]).toEqual([
      0,
      0,
      ["Report"]
    ])
    expect(page.$("a.address").attr("rel")).toBe("nofollow noopener noreferrer")
  })
})

describe("ten thousand runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-browse-"))
  let service: TestService
  beforeAll(async () => {
    const database = `file:${join(folder, "many.db")}`
    const address = databaseOf(database)
    if (address === null || address._tag === "Memory") throw new Error("no database")
    await Effect.runPromise(
      Effect.provide(
        seed({ runs: 10_000, sites: 2_000, days: 200, reportBytes: 200 }, Date.now() * 1_000),
        layerDatabase(address)
      )
    )
    service = await startService({ env: { DOCGAUGE_DATABASE_URL: database } })
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A seeded site with more runs than a page holds. */
  const BUSY = "developer.relay-sparkg.dev/docs-25"

  const runsOf = async (site: string) =>
    (await service.stores(RunHistory.use((history) => history.page(site, null, 500)))).runs

  it("draws the same distributions as the API", async () => {
    const stats: {
      readonly scores: ReadonlyArray<{ readonly count: number }>
      readonly tlds: ReadonlyArray<{ readonly tld: string; readonly count: number }>
    } = await json(service, "/api/public/browse/stats")
    const page = await seenPage(service, "/browse/stats")
    const heights = page
      .$(".plot-block")
      .toArray()
      .map((bar) => Number(page.$(bar).attr("height")))
    const most = Math.max(...stats.scores.map(({ count }) => count))
    expect(heights.map((height) => height / Math.max(...heights))).toEqual(
      stats.scores.map(({ count }) => expect.closeTo(count / most, 2))
    )
    const tlds = page
      .$("#tlds ~ svg g")
      .toArray()
      .map((bar) => [page.$(bar).find(".plot-label").text(), page.$(bar).find(".plot-value").text()])
    expect(tlds).toEqual(stats.tlds.slice(0, 12).map(({ count, tld }) => [`.${tld}`, grouped(count)]))
    expect(textsOf(page, "#tlds ~ details tbody th")).toEqual(stats.tlds.map(({ tld }) => `.${tld}`))
  })

  it.each([
    ["7d", "best"],
    ["30d", "worst"],
    ["all", "best"]
  ])("ranks the sites of %s, %s first, as the contract does", async (window, order) => {
    const path = `window=${window}&order=${order}&limit=50`
    const { sites }: { readonly sites: ReadonlyArray<{ readonly base_url: string; readonly latest_score: number }> } =
      await json(service, `/api/public/browse/top?${path}`)
    const page = await seenPage(service, `/browse/top?${path}`)
    expect(textsOf(page, "tbody th")).toEqual(sites.map(({ base_url }) => base_url))
    expect(textsOf(page, ".score-number").map(Number)).toEqual(sites.map((site) => site.latest_score))
    expect(
      page
        .$(".score-bar .plot-bar")
        .toArray()
        .map((bar) => page.$(bar).attr("width"))
    ).toEqual(textsOf(page, ".score-number").map((score) => `${score}%`))
    const chosen = page
      .$(".choices [aria-current]")
      .toArray()
      .map((link) =>
        new URL(page.$(link).attr("href") ?? "", service.url).searchParams.get(
          page.$(link).text() === "50" ? "limit" : "window"
        )
      )
    expect(chosen).toEqual([window, window, "50", window])
  })

  it("gives sites with the same score the same rank, and shows their best and mean scores", async () => {
    const {
      sites
    }: {
      readonly sites: ReadonlyArray<{
        readonly latest_score: number
        readonly best_score: number
        readonly avg_score: number
      }>
    } = await json(service, "/api/public/browse/top?window=all&limit=50")
    const page = await seenPage(service, "/browse/top?window=all&limit=50")
    expect(textsOf(page, "td.rank").map(Number)).toEqual(
      sites.map(({ latest_score: score }) => 1 + sites.filter((other) => other.latest_score > score).length)
    )
    expect(new Set(textsOf(page, "td.rank")).size).toBeLessThan(50)
    const extra = page
      .$("tbody tr")
      .toArray()
      .map((row) =>
        page
          .$(row)
          .find("td.roomy")
          .slice(0, 2)
          .toArray()
          .map((cell) => Number(page.$(cell).text()))
      )
    expect(extra).toEqual(sites.map((site) => [site.best_score, site.avg_score]))
  })

  it("shows the sites of one level only", async () => {
    const page = await seenPage(service, "/browse/top?window=all&order=worst&level=ai-ready")
    const scores = textsOf(page, ".score-number").map(Number)
    expect([scores.length, Math.min(...scores) >= 75, Math.max(...scores) < 90]).toEqual([25, true, true])
    expect(page.$("nav[aria-label=Level] [aria-current]").text()).toBe("AI-ready")
    // The API has no such parameter.
    expect(page.$("link[rel=alternate][type='application/json']").length).toBe(0)
    expect(page.$("meta[name=description]").attr("content")).toBe(
      "Documentation sites of the level AI-ready with the worst scores of all time."
    )
    const elsewhere = page.$("nav[aria-label=Order] a").first().attr("href")
    expect(elsewhere).toBe("/browse/top?window=all&order=best&level=ai-ready")
  })

  it("tells of each criterion how many sites meet it, and the mean of each category", async () => {
    const page = await seenPage(service, "/browse/stats")
    expect(textsOf(page, ".adoption h3").map((text) => text.replace(/ mean.*/s, "").trim())).toEqual([
      "Discovery",
      "Page artifacts",
      "API spec",
      "Content",
      "Hygiene",
      "Agent surface"
    ])
    const counts = await service.stores(Corpus.use((corpus) => corpus.adoption))
    expect(counts.length).toBe(30)
    expect(
      page
        .$(".adoption tr[data-key]")
        .toArray()
        .map((row) => [
          page.$(row).attr("data-key"),
          page.$(row).find("td").first().text(),
          page.$(row).find("th a").attr("href")
        ])
    ).toEqual(
      counts.map(({ id, sites }) => [
        id,
        percent(sites.present / (sites.present + sites.partial + sites.absent)),
        `/rubric/${id}`
      ])
    )
    const overview = await seenPage(service, "/browse")
    expect(textsOf(overview, ".means strong").map(Number)).toEqual(
      page
        .$(".adoption h3 .soft")
        .toArray()
        .map((mean) => Number(/[\d.]+/.exec(page.$(mean).text())?.[0]))
    )
  })

  it("shows a site's newest points of each criterion, those that changed first", async () => {
    const runs = await service.stores(RunHistory.use((history) => history.judged(BUSY, 10)))
    const page = await seenPage(service, sitePath(BUSY))
    const rows = page.$(".matrix tr[data-key]").toArray()
    expect(new Set(rows.map((row) => page.$(row).attr("data-key"))).size).toBe(30)
    const a1 = rows.find((row) => page.$(row).attr("data-key") === "A1")
    const points = runs.map(({ outcomes }) => outcomes.find(({ id }) => id === "A1")).reverse()
    expect(
      page
        .$(a1)
        .find(".cell")
        .toArray()
        .map((cell) => page.$(cell).attr("title"))
    ).toEqual(points.map((outcome) => `${outcome?.score} of ${outcome?.max} points, ${outcome?.state}`))
    expect(
      page
        .$(".matrix")
        .first()
        .find("thead a")
        .toArray()
        .map((link) => page.$(link).attr("href"))
    ).toEqual(runs.map(({ run }) => `/r/${run.id}`).reverse())
    const shareDay = new Set(runs.map(({ run }) => run.startedAt.slice(0, 10))).size < runs.length
    const timed = runs.map(({ run: { startedAt } }) => (shareDay ? startedAt.slice(11, 16) : null))
    expect(
      page
        .$(".matrix")
        .first()
        .find("thead time")
        .toArray()
        .map((time) => /\d\d:\d\d$/.exec(page.$(time).text())?.[0] ?? null)
    ).toEqual(timed.reverse())
    const changed = page.$("#by-criterion ~ table tr[data-key]").toArray()
    expect(
      changed.every(
        (row) =>
          new Set(
            page
              .$(row)
              .find(".cell")
              .toArray()
              .map((cell) => page.$(cell).attr("title"))
          ).size > 1
      )
    ).toBe(true)
  })

  it.each(["window=8d", "level=nowhere", "order=up", "window=7D"])("has no view for %s", async (query) => {
    expect((await seenPage(service, `/browse/top?${query}`)).answer.status).toBe(400)
  })

  it("finds the same sites as the API, without a script", async () => {
    const { hits }: { readonly hits: ReadonlyArray<{ readonly base_url: string }> } = await json(
      service,
      "/api/public/browse/search?q=relay"
    )
    const start = await seenPage(service, "/browse")
    const form = start.$("form[role=search]")
    expect([form.attr("method"), form.attr("action"), form.find("input").attr("name")]).toEqual([
      "get",
      "/browse/search",
      "q"
    ])
    const page = await seenPage(service, "/browse/search?q=relay")
    expect(textsOf(page, "[data-search-hits] tbody th")).toEqual(hits.map(({ base_url }) => base_url))
    expect(page.$("#q").attr("value")).toBe("relay")
  })

  it("pages through all runs of a site, each once, with the change since the one before", async () => {
    const all = await runsOf(BUSY)
    expect(all.length).toBeGreaterThan(25)
    const seen: Array<{ readonly id: string; readonly change: string }> = []
    for (let path: string | undefined = sitePath(BUSY); path !== undefined;) {
      const page = await seenPage(service, path)
      for (const row of page.$("table.runs tbody tr").toArray()) {
        seen.push({
          id: page.$(row).find("a").attr("href")?.slice("/r/".length) ?? "",
          change: page.$(row).find("td").eq(1).text()
        })
      }
      path = page.$("a[rel=next]").attr("href")
    }
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    const scored = all.filter(({ status }) => status === "done")
    const changes = scored
      .slice(0, -1)
      .map(({ totalScore }, index) => (totalScore ?? 0) - (scored[index + 1]?.totalScore ?? 0))
    const shown = seen
      .filter(({ id }) => scored.some((run) => run.id === id))
      .map(({ change }) => Number(change.replace("−", "-").replace("–", "NaN")))
    expect(shown).toEqual([...changes, Number.NaN])
  })

  it("draws a site's scores over time", async () => {
    const runs = await runsOf(BUSY)
    const page = await seenPage(service, sitePath(BUSY))
    const drawn = page
      .$("[data-value]")
      .toArray()
      .map((dot) => Number(page.$(dot).attr("data-value")))
    expect(drawn).toEqual(
      runs
        .filter(({ status }) => status === "done")
        .map(({ totalScore }) => totalScore)
        .reverse()
    )
  })

  it.each(["/browse", "/browse/stats", "/browse/top", "/browse/search?q=relay"])(
    "sends %s once to a client that caches it",
    async (path) => {
      const { answer } = await seenPage(service, path)
      const again = await fetch(service.url + path, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } })
      expect([again.status, await again.text()]).toEqual([304, ""])
    }
  )
})

describe("hostile sites", () => {
  const HOSTILE = "evil.dev/<img src=x onerror=alert(1)>\"'\u202e\u0000</script><script>alert(2)</script>"
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.stores(
      RunStore.use((store) =>
        Effect.gen(function* () {
          for (const [site, url] of [
            [HOSTILE, "javascript:alert(3)//evil.dev"],
            [`long.dev/${"w".repeat(5_000)}`, "https://long.dev/"]
          ] as const) {
            const { id } = yield* store.accept({
              site: site.replace("\u0000", ""),
              url,
              domain: "<b>evil</b>.dev",
              rubricDigest: "sha256:0"
            })
            yield* store.begin(id, "test")
            yield* store.finish(
              { id, worker: "test", attempt: 1 },
              {
                encoded: "{}",
                totalScore: 50,
                reliable: true,
                outcomes: [],
                generator: null,
                facts: [],
                exchanges: [],
                durationMs: 1,
                requests: 1,
                bytes: 1
              }
            )
          }
        })
      )
    )
  })
  afterAll(() => service.stop())

  const query = encodeURIComponent(HOSTILE.replace("\u0000", ""))

  it.each([
    "/browse",
    "/browse/top",
    "/browse/stats",
    "/browse/search?q=evil",
    `/browse/search?q=${query}`,
    `/browse/site?site=${query}`,
    `/browse/site?site=${query}x`
  ])("are shown as text, %#", async (path) => {
    const page = await seenPage(service, path)
    expect(page.$("img:not(.badge, .mark), b, script:not([src^='/assets/'])").length).toBe(0)
    expect(page.$("[onerror], a[href^='javascript:']").length).toBe(0)
    expect(page.html).not.toContain("\u202e")
  })

  it("are named without bidirectional and invisible characters", async () => {
    expect(textsOf(await seenPage(service, `/browse/site?site=${query}`), "h1")).toEqual([
      "evil.dev/<img src=x onerror=alert(1)>\"' </script><script>alert(2)</script>"
    ])
  })
})

describe("too many requests", () => {
  it("are refused with a page", async () => {
    const service = await startService({ env: { DOCGAUGE_BROWSE_RATE: "1/60s" } })
    await seenPage(service, "/browse")
    const page = await seenPage(service, "/browse")
    expect([page.answer.status, textsOf(page, "h1")]).toEqual([429, ["Too many requests"]])
    expect(Number(page.answer.headers.get("retry-after"))).toBeGreaterThan(0)
    await service.stop()
  })
})

describe("a hidden run", () => {
  it("is on no page of the corpus, and its site has no page if it was the only run", async () => {
    const service = await startService()
    await service.submit({ base_url: "https://docs70.shown.dev" })
    const hidden = await service.submit({ base_url: "https://docs20.hidden.dev" })
    await service.stores(
      Moderation.use((moderation) => moderation.setHidden(hidden.headers.get("x-audit-run-id") ?? "", true))
    )
    for (const path of ["/browse", "/browse/top", "/browse/stats", "/browse/search?q=.dev"]) {
      const { answer, html } = await seenPage(service, path)
      expect([answer.status, html.includes("shown.dev"), html.includes("hidden.dev")]).toEqual([200, true, false])
    }
    expect((await seenPage(service, "/browse/site?site=docs20.hidden.dev")).answer.status).toBe(404)
    await service.stop()
  })
})
