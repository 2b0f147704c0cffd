import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { PAGES, type SeededRun, seedPages } from "./EveryPage.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * What holds on every page: nothing that keeps people out, no fault, nothing from elsewhere, no scrolling sideways on a phone.
 */

let browser: Browser
let service: TestService
let runs: Readonly<Record<SeededRun, string>>

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService()
  runs = await seedPages(service)
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

/** Small and usual phones, a tablet, a screen. */
const WIDTHS = [320, 390, 768, 1440] as const

/** Shows a page in one of three ways, and gives what keeps people out of it. */
const WAYS: ReadonlyArray<(page: Page) => Promise<ReadonlyArray<string>>> = [
  async (page) => {
    await page.emulateMedia({ colorScheme: "dark", forcedColors: "none" })
    return barriersOn(page)
  },
  async (page) => {
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" })
    return barriersOn(page, "colours")
  },
  // In light colours it is looked at on a phone.
  async (page) => {
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
    await page.setViewportSize({ width: WIDTHS[0], height: 844 })
    return barriersOn(page)
  }
]

/** Pages of the documentation share a frame: each of them is looked at in one way, in turn. */
const LOOKED_AT = PAGES.map((page, index) => ({
  ...page,
  ways: page.name.startsWith("docs-") ? WAYS.filter((_, way) => way === index % WAYS.length) : WAYS
}))

const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

describe.skipIf(!hasChromium)("every page", () => {
  it.each(LOOKED_AT)(
    "$name keeps nobody out, however it is shown, and scrolls sideways at no width",
    async ({ path, status = 200, ways }) => {
      const { faults, page } = await watchedPage(browser, {
        viewport: { width: 1280, height: 900 },
        reducedMotion: "reduce"
      })
      await withAxe(page.context())
      const answer = await page.goto(service.url + path(runs))
      expect([answer?.status(), answer?.headers()["content-type"]]).toEqual([status, "text/html; charset=utf-8"])
      const barriers: Array<string> = []
      for (const look of ways) barriers.push(...(await look(page)))
      const sideways: Array<number> = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 })
        sideways.push(await page.evaluate(SIDEWAYS))
      }
      await page.context().close()
      expect({ faults, barriers, sideways }).toEqual({ faults: [], barriers: [], sideways: WIDTHS.map(() => 0) })
    }
  )

  it("has its heading, its text and its description without scripts", async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false })
    const bare: Array<string> = []
    for (const { name, path, status = 200 } of PAGES) {
      await page.goto(service.url + path(runs))
      const heading = await page.locator("h1").first().isVisible()
      const described =
        status !== 200 || (await page.locator("meta[name=description], meta[name=robots][content=noindex]").count()) > 0
      if (!heading || !described || ((await page.locator("main").textContent()) ?? "").length < 60) bare.push(name)
    }
    await page.context().close()
    expect(bare).toEqual([])
  })
})
