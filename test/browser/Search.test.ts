import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  for (const host of [
    "docs70.first.dev",
    "docs70.first.dev",
    "docs40.second.dev",
    "unreliable.docs55.fourth.dev",
    "api90.third.dev"
  ])
    await service.submit({ base_url: `https://${host}` })
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

/** What the table shows, row by row, with what its bars and links say. */
const rows = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll("[data-search-hits] tbody tr")].map((row) => [
    row.textContent.replace(/\\s+/g, " ").trim(), row.querySelector("a").getAttribute("href"),
    row.querySelector(".plot-bar").getAttribute("width"), row.querySelector("time").dateTime
  ])`)

const type = async (page: Page, text: string): Promise<void> => {
  await page.locator("#q").fill("")
  await page.locator("#q").pressSequentially(text)
}

describe.skipIf(!hasChromium)("searching while one types", () => {
  it("draws the same rows as the server, and says the same", async () => {
    const { faults, page } = await watchedPage(browser)
    await page.goto(`${service.url}/browse/search?q=docs`)
    const [served, status] = [await rows(page), await page.locator("[data-search-status]").textContent()]
    await page.goto(`${service.url}/browse/search`)
    await type(page, "docs")
    await page.getByText("3 sites.").waitFor()
    expect([await rows(page), await page.locator("[data-search-status]").textContent()]).toEqual([served, status])
    expect(faults).toEqual([])
    await page.context().close()
  })

  it("never shows the answer to what was typed before", async () => {
    const { page } = await watchedPage(browser)
    let release = (): void => undefined
    const released = new Promise<void>((settle) => {
      release = () => {
        settle()
      }
    })
    let asked = (): void => undefined
    const firstAsked = new Promise<void>((settle) => {
      asked = () => {
        settle()
      }
    })
    await page.route(/browse\/search\?q=first/, async (route) => {
      asked()
      await released
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${service.url}/browse/search`)
    await type(page, "first")
    await firstAsked
    await type(page, "third")
    await page.getByRole("link", { name: "api90.third.dev" }).waitFor()
    release()
    await page.waitForLoadState("networkidle")
    expect([await page.locator("[data-search-hits] tbody tr").count(), new URL(page.url()).search]).toEqual([
      1,
      "?q=third"
    ])
    await page.context().close()
  })

  it("waits where it was asked to, and goes on by itself", async () => {
    const { page } = await watchedPage(browser)
    let answers = 0
    await page.route(/browse\/search\?q=third/, (route) =>
      answers++ === 0 ? route.fulfill({ status: 429, headers: { "retry-after": "1" }, body: "" }) : route.continue()
    )
    await page.goto(`${service.url}/browse/search`)
    // At once: on a busy machine the results of fewer letters would be there before.
    await page.locator("#q").fill("third")
    await page.getByRole("link", { name: "api90.third.dev" }).waitFor()
    expect(answers).toBe(2)
    await page.context().close()
  })

  it("shows names decoded and flags those that look like another, as the server does", async () => {
    await seedRun(service, reportFor(goldenReport("typical"), "https://xn--bcher-kva.example/%F0%9F%93%9A"))
    await seedRun(service, reportFor(goldenReport("typical"), "https://xn--pple-43d.com/docs"))
    const { faults, page } = await watchedPage(browser)
    await page.goto(`${service.url}/browse/search`)
    await type(page, "xn--")
    await page.getByText("2 sites.").waitFor()
    expect(await page.locator("[data-search-hits] tbody th").allTextContents()).toEqual([
      "xn--pple-43d.com/docs lookalike name",
      "bücher.example/📚"
    ])
    expect(faults).toEqual([])
    await page.context().close()
  })
})
