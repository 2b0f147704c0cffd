import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { DashboardStore } from "../../../engine/store/operators/DashboardStore.ts"
import { startService, type TestService } from "../TestService.ts"
import { seenPage, textsOf } from "./SeenPage.ts"

let service: TestService

const put = (slug: string, definition: object, { isPublic = true, title = "Ours" } = {}) =>
  service.stores(
    DashboardStore.use((store) => store.put({ slug, title, isPublic, definition: JSON.stringify(definition) }))
  )

/** The page of a dashboard once its figures are there. */
const ready = async (path: string) => {
  await expect.poll(async () => (await fetch(service.url + path)).status).toBe(200)
  return seenPage(service, path)
}

const HOSTILE = "<script>alert(1)</script>\u202e"

beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  for (const host of ["docs70.one.dev", "docs30.two.dev", "docs30.two.dev", "docs30.two.dev"])
    await service.submit({ base_url: `https://${host}` })
  await put("ours", {
    sites: ["docs70.one.dev", "docs30.two.dev", "never.dev"],
    widgets: [
      { kind: "corpus", title: "All" },
      { kind: "current_score", title: "Now" },
      { kind: "site_trend", title: "Trend", site: "docs30.two.dev" },
      { kind: "category_comparison", title: "Categories" },
      { kind: "biggest_movers", title: "Movers", limit: 5 },
      { kind: "stale_sites", title: "Stale", days: 30 },
      { kind: "top_sites", title: "Top", order: "worst", limit: 5 }
    ]
  })
})
afterAll(() => service.stop())

describe("a dashboard's page", () => {
  it("reloads itself while its figures are computed", async () => {
    await put("fresh", { widgets: [] })
    const page = await seenPage(service, "/dashboard/fresh")
    expect([page.answer.status, page.answer.headers.get("refresh"), page.answer.headers.get("cache-control")]).toEqual([
      202,
      "2",
      "no-store"
    ])
    expect(textsOf(await ready("/dashboard/fresh"), ".empty p")).toEqual(["This dashboard has no widgets yet."])
  })

  it("shows every widget with its numbers", async () => {
    const page = await ready("/dashboard/ours")
    const within = (title: string, selector: string) => {
      const section = page.$(".widget").filter((_, element) => page.$(element).find("h2").text() === title)
      return section
        .find(selector)
        .toArray()
        .map((element) => page.$(element).text())
    }
    expect(textsOf(page, ".widget > h2")).toEqual([
      "All",
      "Now",
      "Trend",
      "Categories",
      "Movers",
      "Stale",
      "Top",
      "Audits"
    ])
    expect(within("All", "dd").slice(0, 2)).toEqual(["2", "4"])
    expect(within("Now", "tbody th, .score-number")).toEqual(["docs70.one.dev", "70", "docs30.two.dev", "50"])
    expect(
      page
        .$("[data-value]")
        .toArray()
        .map((dot) => page.$(dot).attr("data-value"))
    ).toEqual(["30", "40", "50"])
    expect(within("Categories", ".category-cell span:first-child").slice(0, 1)).toEqual(["7 / 20"])
    expect(page.$(".category-cell .plot-bar").first().attr("width")).toBe("35%")
    expect(within("Movers", "tbody td")).toEqual(["+20: what changed on docs30.two.dev", "30", "50"])
    expect(within("Stale", "tbody th, tbody td")).toEqual(["never.dev", "never"])
    expect(within("Top", "tbody th, .score-number")).toEqual(["docs30.two.dev", "50", "docs70.one.dev", "70"])
  })

  it("says when each site was audited last and is audited next, those without an audit among them", async () => {
    await service.stores(
      ScheduleStore.use((schedules) =>
        Effect.gen(function* () {
          const { id } = yield* schedules.create("https://docs70.one.dev", 6 * 3_600_000)
          yield* schedules.settle(id, { _tag: "Done", run: null, problem: null })
          yield* schedules.create("https://never.dev", 6 * 3_600_000)
        })
      )
    )
    await put("watched", { sites: ["docs70.one.dev", "docs30.two.dev", "never.dev"], widgets: [] })
    const page = await ready("/dashboard/watched")
    const rows = page
      .$("#audits ~ table tbody tr")
      .toArray()
      .map((row) =>
        page
          .$(row)
          .find("td")
          .toArray()
          .map((cell) => page.$(cell).text())
      )
    expect(rows).toEqual([
      [expect.stringMatching(/\d\d:\d\d$/), expect.stringMatching(/20\d\d$/)],
      ["not scheduled", expect.stringMatching(/20\d\d$/)],
      ["due now", "never"]
    ])
    expect(
      Date.parse(page.$("#audits ~ table tbody tr").first().find("time").first().attr("datetime") ?? "") - Date.now()
    ).toBeGreaterThan(5 * 3_600_000)
    const site = await seenPage(service, "/browse/site?site=docs70.one.dev")
    expect(site.$(".site-actions").text()).toContain("Next scheduled audit: ")
  })

  it("leaves no hole beside a widget", async () => {
    await put("odd", {
      sites: [],
      widgets: ["current_score", "stale_sites", "current_score", "corpus", "current_score", "current_score"].map(
        (kind) => ({ kind, title: kind, ...(kind === "stale_sites" ? { days: 3 } : {}) })
      )
    })
    const page = await ready("/dashboard/odd")
    expect(
      page
        .$(".widget")
        .toArray()
        .map((widget) => page.$(widget).hasClass("widget-wide"))
    ).toEqual([false, false, true, true, false, false])
  })

  it("is in the list of public dashboards, with its sites", async () => {
    await put("secret", { widgets: [] }, { isPublic: false, title: "Secret" })
    await put("listed", { sites: ["a.dev", "b.dev", "c.dev", "d.dev", "e.dev"], widgets: [] }, { title: "Listed" })
    const page = await seenPage(service, "/dashboard")
    const card = page.$(".card").filter((_, element) => page.$(element).find("h2").text() === "Listed")
    expect([card.find("a").attr("href"), card.find("p").text()]).toEqual([
      "/dashboard/listed",
      "5 sites: a.dev, b.dev, c.dev and 2 more"
    ])
    expect(page.$("main").text()).not.toContain("Secret")
    expect(page.$(".parts [aria-current]").text()).toBe("Dashboards")
  })

  it("marks its time range, 90 days by default", async () => {
    expect(textsOf(await ready("/dashboard/ours"), ".choices [aria-current]")).toEqual(["90 days"])
    expect(textsOf(await ready("/dashboard/ours?bucket=12m"), ".choices [aria-current]")).toEqual(["12 months"])
  })

  it("says if there is nothing to show", async () => {
    await put("bare", {
      sites: ["never.dev"],
      widgets: [
        { kind: "current_score", title: "A" },
        { kind: "site_trend", title: "B", site: "never.dev" },
        { kind: "category_comparison", title: "C" },
        { kind: "biggest_movers", title: "D", limit: 3 }
      ]
    })
    const page = await ready("/dashboard/bare")
    expect(page.$(".widget table:not(#audits ~ table), .widget svg").length).toBe(0)
    expect(textsOf(page, ".widget p")).toHaveLength(4)
  })

  it("escapes the text of operators", async () => {
    await put(
      "hostile",
      {
        sites: [],
        widgets: [
          { kind: "stale_sites", title: HOSTILE, days: 1 },
          { kind: "site_trend", title: HOSTILE, site: HOSTILE }
        ]
      },
      { title: HOSTILE }
    )
    const page = await ready("/dashboard/hostile")
    expect([page.$("main script").length, page.html.includes("\u202e")]).toEqual([0, false])
    expect(textsOf(page, "h1")).toEqual(["<script>alert(1)</script>"])
  })

  it("is a 403 if it is not public, and a 404 if it does not exist", async () => {
    await put("closed", { widgets: [] }, { isPublic: false })
    const pages = await Promise.all(
      [
        "/dashboard/closed",
        "/dashboard/nobody",
        "/dashboard/ours?bucket=7d",
        `/dashboard/${encodeURIComponent(HOSTILE)}`
      ].map((path) => seenPage(service, path))
    )
    expect(pages.map(({ answer }) => answer.status)).toEqual([403, 404, 400, 404])
  })
})
