import type { Browser } from "playwright-core"
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
const WIDTHS = [320, 390, 768, 1440]

const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

describe.skipIf(!hasChromium)("every page", () => {
  it.each(PAGES)(
    "$name is accessible in light, dark and forced colours and on a phone, and scrolls sideways at no width",
    async ({ path, status = 200 }) => {
      const { faults, page } = await watchedPage(browser, {
        viewport: { width: 1280, height: 900 },
        reducedMotion: "reduce"
      })
      await withAxe(page.context())
      const answer = await page.goto(service.url + path(runs))
      expect([answer?.status(), answer?.headers()["content-type"]]).toEqual([status, "text/html; charset=utf-8"])
      await page.emulateMedia({ colorScheme: "dark" })
      const barriers = [...(await barriersOn(page))]
      await page.emulateMedia({ colorScheme: "light", forcedColors: "active" })
      barriers.push(...(await barriersOn(page, "colours")))
      // In light colours it is looked at on a phone.
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
      const sideways: Array<number> = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 })
        sideways.push(await page.evaluate(SIDEWAYS))
        if (width === WIDTHS[0]) barriers.push(...(await barriersOn(page)))
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
