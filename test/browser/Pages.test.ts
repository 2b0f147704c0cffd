import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import type { DashboardDefinition } from "../../server/dashboards/DashboardDefinition.ts"
import { CONTENTS, DOCS_VERSION } from "../../server/pages/docs/Contents.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * What holds on every page: nothing that keeps people out, no fault, nothing from elsewhere, no scrolling sideways on a phone.
 */

let browser: Browser
let service: TestService
const runs = { report: "", earlier: "", poor: "", pending: "", failed: "" }

const submitted = async (host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` }, "?async=true")
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await answer.text())
  return id
}

/** A dashboard with a widget of each kind. */
const provision = (slug: string, isPublic: boolean): Promise<void> =>
  service.stores(DashboardStore.use((store) => store.put({ slug, title: "Our documentation", isPublic, definition: JSON.stringify(DEFINITION) })))

const DEFINITION: DashboardDefinition = {
  sites: ["docs.example.dev", "docs.nowhere.dev", "docs.sproutcast-app.com"],
  widgets: [
    { kind: "current_score", title: "Now" },
    { kind: "site_trend", title: "Over time", site: "docs.example.dev" },
    { kind: "category_comparison", title: "Categories" },
    { kind: "biggest_movers", title: "Movers", limit: 5 },
    { kind: "stale_sites", title: "Stale", days: 30 },
    { kind: "top_sites", title: "Best", order: "best", limit: 5 },
    { kind: "corpus", title: "All" }
  ]
}

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService()
  const typical = goldenReport("typical")
  runs.earlier = await seedRun(service, reportFor(typical, "https://docs.example.dev"))
  runs.report = await seedRun(service, reportFor(typical, "https://docs.example.dev", 1))
  runs.poor = await seedRun(service, goldenReport("poor"))
  await seedRun(service, goldenReport("excellent"))
  await seedRun(service, goldenReport("client-rendered"))
  runs.failed = await submitted("failing.example.org")
  runs.pending = await submitted("held.example.net")
  await provision("ours", true)
  await provision("closed", false)
  // The figures are put together once somebody has asked for them.
  await vi.waitUntil(async () => (await service.ask("/dashboard/ours")).status === 200, { timeout: 60_000 })
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

/** Each page by its name: its path, and its status unless that is 200. */
const PAGES: ReadonlyArray<{ readonly name: string; readonly path: () => string; readonly status?: number }> = [
  { name: "start", path: () => "/" },
  { name: "report", path: () => `/r/${runs.report}` },
  { name: "report with little to praise", path: () => `/r/${runs.poor}` },
  { name: "run under way", path: () => `/r/${runs.pending}` },
  { name: "failed run", path: () => `/r/${runs.failed}` },
  { name: "unknown run", path: () => "/r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b", status: 404 },
  { name: "comparison", path: () => `/r/${runs.report}/compare?baseline=${runs.earlier}` },
  { name: "overview of the corpus", path: () => "/browse" },
  { name: "leaderboard", path: () => "/browse/top?window=all&order=worst" },
  { name: "search", path: () => "/browse/search?q=docs" },
  { name: "search without hits", path: () => "/browse/search?q=nowhere" },
  { name: "statistics", path: () => "/browse/stats" },
  { name: "site", path: () => "/browse/site?site=docs.example.dev" },
  { name: "rubric", path: () => "/rubric" },
  { name: "criterion", path: () => "/rubric/C4" },
  { name: "dashboard", path: () => "/dashboard/ours" },
  { name: "dashboard that is not public", path: () => "/dashboard/closed", status: 403 },
  { name: "dashboard that is not there", path: () => "/dashboard/nobodys", status: 404 },
  { name: "bot", path: () => "/bot" },
  { name: "nothing", path: () => "/nothing/here", status: 404 },
  ...CONTENTS.flatMap(({ slugs }) => slugs).map((slug) => ({ name: `documentation: ${slug}`, path: () => `/docs/${DOCS_VERSION}${slug === "index" ? "" : `/${slug}`}` }))
]

describe.skipIf(!hasChromium)("every page", () => {
  it.each(PAGES)("$name is accessible, in light and dark, on a phone and on a screen", async ({ path, status = 200 }) => {
    const { faults, page } = await watchedPage(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    await withAxe(page.context())
    const answer = await page.goto(service.url + path())
    expect([answer?.status(), answer?.headers()["content-type"]]).toEqual([status, "text/html; charset=utf-8"])
    const barriers = []
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      barriers.push(...await barriersOn(page))
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const sideways: number = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    barriers.push(...await barriersOn(page))
    await page.context().close()
    expect({ faults, barriers, sideways }).toEqual({ faults: [], barriers: [], sideways: 0 })
  })
})
