import type { Browser, BrowserContextOptions } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { type PiecewiseServer, startPiecewise } from "./PiecewiseServer.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * What was painted stays where it is, however slowly the rest of the page comes.
 */

let browser: Browser
let service: TestService
let piecewise: PiecewiseServer
let impatient: PiecewiseServer
const runs = { report: "", earlier: "" }

/** Enough for rows that come one by one, with names of all lengths. */
const SITES = 12

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService()
  piecewise = await startPiecewise(service.url)
  impatient = await startPiecewise(service.url, { impatient: true })
  const typical = goldenReport("typical")
  for (let site = 0; site < SITES; site++)
    await seedRun(service, reportFor(typical, `https://docs.${"long-".repeat(site % 4)}name${site}.dev`, site % 3))
  runs.earlier = await seedRun(service, reportFor(goldenReport("poor"), "https://docs.example.dev"))
  runs.report = await seedRun(service, reportFor(typical, "https://docs.example.dev", 1))
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await Promise.all([piecewise.close(), impatient.close()])
  await service.stop()
})

const PAGES: ReadonlyArray<readonly [name: string, path: () => string]> = [
  ["start", () => "/"],
  ["report", () => `/r/${runs.report}`],
  ["comparison", () => `/r/${runs.report}/compare?baseline=${runs.earlier}`],
  ["overview", () => "/browse"],
  ["leaderboard", () => "/browse/top?window=all"],
  ["search", () => "/browse/search?q=docs"],
  ["site", () => "/browse/site?site=docs.example.dev"],
  ["rubric", () => "/rubric"],
  ["documentation", () => "/docs/v1/errors"],
  ["API reference", () => "/docs/v1/reference"],
  ["nothing", () => "/nothing/here"]
]

/** Those whose tables declare their columns. */
const TABLES: ReadonlySet<string> = new Set(["overview", "leaderboard", "search", "site", "comparison"])

/** Every shift with what moved: from where to where. */
const OBSERVE = `
  window.shifts = []
  const told = ({ node, previousRect: from, currentRect: to }) => (node?.nodeName ?? "gone") + " " + [from.x, from.y, from.width, from.height] + " to " + [to.x, to.y, to.width, to.height]
  new PerformanceObserver((list) => { for (const { sources, value } of list.getEntries()) window.shifts.push(value + ": " + sources.map(told).join("; ")) }).observe({ type: "layout-shift", buffered: true })
`

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SCREEN = { viewport: { width: 1280, height: 900 } }

/** Two frames: what was found in the first is reported in the second. */
const PAINTED = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"

/** What moved while a page was loaded and scrolled through. */
const shiftsOn = async (address: string, options: BrowserContextOptions): Promise<ReadonlyArray<string>> => {
  const { page } = await watchedPage(browser, options)
  await page.addInitScript({ content: OBSERVE })
  await page.goto(address, { waitUntil: "load" })
  await page.evaluate("scrollTo(0, document.body.scrollHeight)")
  await page.evaluate(PAINTED)
  const shifts: ReadonlyArray<string> = await page.evaluate("window.shifts")
  await page.context().close()
  return shifts
}

describe.skipIf(!hasChromium)("nothing moves while a page arrives in pieces", () => {
  it.each(PAGES)("$0", async (_name, path) => {
    const [phone, screen] = [
      await shiftsOn(piecewise.url + path(), PHONE),
      await shiftsOn(piecewise.url + path(), SCREEN)
    ]
    expect({ phone, screen }).toEqual({ phone: [], screen: [] })
  })
})

describe.skipIf(!hasChromium)("a table keeps its columns where a browser paints rows as they come", () => {
  it.each(PAGES.filter(([name]) => TABLES.has(name)))("$0", async (_name, path) => {
    const moved = await shiftsOn(impatient.url + path(), PHONE)
    expect(moved.filter((shift) => /\b(?:TABLE|TBODY|TR|TH|TD) /.test(shift))).toEqual([])
  })
})
