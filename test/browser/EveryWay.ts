import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { type SeededPage, type SeededRun, seedPages } from "./EveryPage.ts"
import { hasChromium, startBrowser, type WatchedPage, watchedPage } from "./TestBrowser.ts"

/** Small and usual phones, a tablet, a screen. */
const WIDTHS = [320, 390, 768, 1440] as const

/** Shows a page in one way, and gives what keeps people out of it. */
type Way = (page: Page) => Promise<ReadonlyArray<string>>

export const WAYS: ReadonlyArray<Way> = [
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

const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

/** A page, and the ways in which it is looked at for what keeps people out. */
export interface LookedAtPage extends SeededPage {
  readonly ways: ReadonlyArray<Way>
}

/** Holds that no page keeps people out, has a fault, asks for anything from elsewhere, or scrolls sideways. All are shown in one tab, because each new one costs a process. */
export const testThatPagesKeepNobodyOut = (pages: ReadonlyArray<LookedAtPage>): void => {
  let browser: Browser
  let service: TestService
  let runs: Readonly<Record<SeededRun, string>>
  let tab: WatchedPage

  beforeAll(async () => {
    if (!hasChromium) return
    browser = await startBrowser()
    service = await startService()
    runs = await seedPages(service)
    tab = await watchedPage(browser, { reducedMotion: "reduce" })
    await withAxe(tab.page.context())
  })

  afterAll(async () => {
    if (!hasChromium) return
    await browser.close()
    await service.stop()
  })

  describe.skipIf(!hasChromium)("every page", () => {
    it.each(pages)(
      "$name has no accessibility violation in any theme, and does not scroll sideways at any width",
      async ({ path, status = 200, ways }) => {
        const { faults, page } = tab
        const earlier = faults.length
        await page.setViewportSize({ width: 1280, height: 900 })
        const answer = await page.goto(service.url + path(runs))
        expect([answer?.status(), answer?.headers()["content-type"]]).toEqual([status, "text/html; charset=utf-8"])
        const barriers: Array<string> = []
        for (const look of ways) barriers.push(...(await look(page)))
        const sideways: Array<number> = []
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 })
          sideways.push(await page.evaluate(SIDEWAYS))
        }
        // The next page finds a browser that remembers nothing.
        await page.evaluate("localStorage.clear(); sessionStorage.clear()")
        await page.context().clearCookies()
        expect({ faults: faults.slice(earlier), barriers, sideways }).toEqual({
          faults: [],
          barriers: [],
          sideways: WIDTHS.map(() => 0)
        })
      }
    )

    it("has its heading, its text and its description without scripts", async () => {
      const { page } = await watchedPage(browser, { javaScriptEnabled: false })
      const bare: Array<string> = []
      // One of each frame is enough.
      for (const { name, path, status = 200 } of pages.filter(({ ways }) => ways.length === WAYS.length)) {
        await page.goto(service.url + path(runs))
        const heading = await page.locator("h1").first().isVisible()
        const described =
          status !== 200 ||
          (await page.locator("meta[name=description], meta[name=robots][content=noindex]").count()) > 0
        if (!heading || !described || ((await page.locator("main").textContent()) ?? "").length < 60) bare.push(name)
      }
      await page.context().close()
      expect(bare).toEqual([])
    })
  })
}
