import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveSmallSites, smallSite, type SmallSites } from "../harness/SmallSites.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * How the owner of a site sees what AI agents are served, in a real browser: with scripts and without.
 */

const FILE = "/.well-known/docgauge-verification.txt"

let browser: Browser
let service: TestService
let sites: SmallSites
let published = ""

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  sites = await serveSmallSites({
    instead: ({ url }, response) => {
      if (url !== FILE) return false
      response.writeHead(200, { "content-type": "text/plain" }).end(published)
      return true
    }
  })
  service = await startService({ dials: true, env: sites.env })
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
  await sites.close()
})

const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

/** Barriers in both colours, and whether it scrolls sideways on a small phone. */
const expectGood = async (page: Page): Promise<void> => {
  const barriers = []
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme })
    barriers.push(...(await barriersOn(page)))
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect([barriers, await page.evaluate(SIDEWAYS)]).toEqual([[], 0])
}

const openForm = (page: Page) => page.getByText("See what AI agents are served").click()

describe.skipIf(!hasChromium)("the owner of a site", () => {
  it.each([
    ["with", true, 1],
    ["without", false, 2]
  ])("sees what agents are served, %s scripts, once the token is published", async (_, javaScriptEnabled, number) => {
    const url = smallSite(number)
    const run = (await service.submit({ base_url: url })).headers.get("x-audit-run-id")
    const { faults, page } = await watchedPage(browser, { javaScriptEnabled, reducedMotion: "reduce" })
    if (javaScriptEnabled) await withAxe(page.context())
    for (const path of [`/browse/site?site=${new URL(url).host}`, `/r/${run}`]) {
      await page.goto(service.url + path)
      await openForm(page)
      if (javaScriptEnabled) await expectGood(page)
    }

    const button = page.getByRole("button", { name: "Audit again as the owner" })
    // Nothing is asked for before the box is ticked.
    await button.click()
    expect(page.url()).toBe(`${service.url}/r/${run}`)
    await page.getByLabel(/^Ask as named agents, too: at most 60 more requests.*your score does not change\.$/).check()
    await button.click()
    await page.getByRole("heading", { name: "Show that the site is yours" }).waitFor()
    expect(await page.getByRole("alert").textContent()).toContain("Only the owner of a site")
    if (javaScriptEnabled) await expectGood(page)

    published = (await page.locator("#shown-token").textContent()) ?? ""
    await page.getByRole("button", { name: "Audit as the owner" }).click()
    await page.waitForURL(/\/r\/[0-9a-f-]{36}$/)
    await page.getByRole("heading", { name: "What each named agent is served" }).waitFor()
    expect(page.url()).not.toContain(run)
    await page.context().close()
    expect(faults).toEqual([])
  })
})
