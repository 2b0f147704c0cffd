import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { archivedAudit, keepArchivedRun } from "../server/fixes/ArchivedRun.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { hasChromium, startBrowser, stopClock, watchedPage } from "./TestBrowser.ts"

/*
 * *Fix it*: from a report to the plan, the prompt and the files, with scripts and without, on a phone and on a screen.
 */

const archives = mkdtempSync(join(tmpdir(), "docgauge-fix-pages-"))
/** Where to put pictures of the pages, to look at; nowhere unless given. */
const pictures = process.env["DOCGAUGE_PICTURES"]

let browser: Browser
let service: TestService
let id: string

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService({ env: { DOCGAUGE_ARCHIVES: `${archives},keep=100` } })
  id = await keepArchivedRun(service, await archivedAudit(typicalSite(), TYPICAL_URL))
})

afterAll(async () => {
  if (hasChromium) {
    await browser.close()
    await service.stop()
  }
  rmSync(archives, { recursive: true })
})

const PHONE = { width: 320, height: 1_000 }

const visiting = async (
  path: string,
  options: BrowserContextOptions,
  visit: (page: Page) => Promise<void>
): Promise<void> => {
  const { faults, page } = await watchedPage(browser, { reducedMotion: "reduce", ...options })
  await withAxe(page.context())
  await page.goto(service.url + path)
  await visit(page)
  await page.context().close()
  expect(faults).toEqual([])
}

const pictured = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return
  const { height, width } = page.viewportSize() ?? PHONE
  for (let part = 0; part < 4; part++) {
    await page.evaluate(
      `scrollTo(0, document.getElementById("fix-it").getBoundingClientRect().top + scrollY + ${part * height})`
    )
    await page.screenshot({ path: join(pictures, `${name}-${width}-${part}.png`) })
  }
}

const PLAN = /^Fix it: \d+ → (?:at least )?\d+ of 100$/

const expectPlan = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { name: PLAN }).waitFor({ timeout: 90_000 })
  for (const name of [
    "What the files gain",
    "The files",
    "What a person has to write or decide",
    "Prompt for a coding agent"
  ])
    expect(await page.getByRole("heading", { name, exact: true }).isVisible(), name).toBe(true)
  expect(await page.getByRole("textbox", { name: "Prompt for a coding agent" }).inputValue()).toContain(
    "Improve the documentation at"
  )
}

const expectDownload = async (page: Page): Promise<void> => {
  const downloading = page.waitForEvent("download")
  await page.getByRole("link", { name: /^Download \d+ files/ }).click()
  expect((await downloading).suggestedFilename()).toBe(`docgauge-fix-${id}.zip`)
}

describe.skipIf(!hasChromium)("Fix it", () => {
  it("shows the plan in the page of the report, copies the prompt and downloads the files", () =>
    visiting(
      `/r/${id}`,
      { viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] },
      async (page) => {
        await page.getByRole("link", { name: "Show the plan and the files" }).click()
        await expectPlan(page)
        expect(page.url()).toBe(`${service.url}/r/${id}`)
        expect(await page.evaluate("document.activeElement.id")).toBe("fix-it-title")
        await pictured(page, "report-with-plan")
        // Each fix of the report has a button of that name, too.
        const plan = page.locator("section:has(#fix-it-title)")
        await stopClock(page)
        await plan.getByRole("button", { name: "Copy prompt" }).click()
        await plan.getByRole("button", { name: "Copied" }).waitFor()
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
          await page.getByRole("textbox", { name: "Prompt for a coding agent" }).inputValue()
        )
        await expectDownload(page)
      }
    ))

  it("goes on with a plan that was being made when the reader left, once the page is restored from the back/forward cache", async () => {
    const keeping = await startBrowser({ keepsPages: true })
    try {
      const { faults, page } = await watchedPage(keeping)
      let isMade = false
      let asked = 0
      await page.route(`**/r/${id}/fix`, async (route) => {
        asked++
        if (isMade) await route.continue()
        // The first answer never comes: the browser drops the request with the page.
        else if (asked > 1) await route.fulfill({ status: 202, contentType: "text/html", body: "" })
      })
      await page.addInitScript(
        "addEventListener('pageshow', ({ persisted }) => { globalThis.wasRestored = persisted })"
      )
      await page.goto(`${service.url}/r/${id}`)
      await page.getByRole("link", { name: "Show the plan and the files" }).click()
      await page.getByRole("link", { name: "Making the plan…" }).waitFor()
      await page.goto(`${service.url}/rubric`)
      // A restored page is not loaded again.
      await page.goBack({ waitUntil: "commit" })
      await expect.poll(() => page.evaluate("globalThis.wasRestored")).toBe(true)
      await page.getByRole("link", { name: "Making the plan…" }).waitFor()
      await expect.poll(() => asked).toBeGreaterThan(1)
      isMade = true
      await expectPlan(page)
      expect(page.url()).toBe(`${service.url}/r/${id}`)
      expect(faults).toEqual([])
    } finally {
      await keeping.close()
    }
  })

  it("needs no script: the plan is a page of its own, which reloads itself until it is made, with the prompt to select", () =>
    visiting(`/r/${id}`, { javaScriptEnabled: false }, async (page) => {
      await page.getByRole("link", { name: "Show the plan and the files" }).click()
      await page.waitForURL(`${service.url}/r/${id}/fix`)
      await page.locator("#fix-it").waitFor({ timeout: 90_000 })
      expect(await page.getByRole("heading", { name: PLAN }).isVisible()).toBe(true)
      expect(await page.getByRole("button", { name: "Copy prompt" }).count()).toBe(0)
      await expectDownload(page)
      await page.getByRole("link", { name: "As text" }).click()
      await page.waitForURL(`${service.url}/r/${id}/prompt.txt`)
    }))

  it.each(["light", "dark"] as const)("is accessible and fits a phone of 320 pixels: %s", (colorScheme) =>
    visiting(`/r/${id}/fix`, { viewport: PHONE, colorScheme }, async (page) => {
      await expectPlan(page)
      // Everything opened, as somebody reads it.
      await page.evaluate("document.querySelectorAll('#fix-it details').forEach((one) => { one.open = true })")
      const sideways: number = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
      )
      await pictured(page, `plan-phone-${colorScheme}`)
      expect({ barriers: await barriersOn(page), sideways }).toEqual({ barriers: [], sideways: 0 })
      await page.setViewportSize({ width: 1280, height: 900 })
      await pictured(page, `plan-screen-${colorScheme}`)
      expect(await barriersOn(page)).toEqual([])
    })
  )

  it("leaves the report that leads to it accessible, on a phone of 320 pixels", () =>
    visiting(`/r/${id}`, { viewport: PHONE }, async (page) => {
      const sideways: number = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
      )
      await pictured(page, "report-phone")
      expect({ barriers: await barriersOn(page), sideways }).toEqual({ barriers: [], sideways: 0 })
    }))
})
