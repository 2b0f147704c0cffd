import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { hasChromium, startBrowser, stopClock, watchedPage } from "./TestBrowser.ts"

/** Each operation of the contract has a page. */
const OPERATIONS = readdirSync(join(import.meta.dirname, "../../server/docs/v1/operations")).length

let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService()
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

const markdownOf = async (path: string): Promise<string> => (await service.ask(`${path}.md`)).text()

describe.skipIf(!hasChromium)("a page of the documentation", () => {
  it("is copied as Markdown, and its code by itself", async () => {
    const { faults, page } = await watchedPage(browser, { permissions: ["clipboard-read", "clipboard-write"] })
    await page.goto(`${service.url}/docs/v1/quickstart`)
    await stopClock(page)
    await page.getByRole("button", { name: "Copy as Markdown" }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await markdownOf("/docs/v1/quickstart"))
    await page.getByRole("button", { name: "Copy this code" }).first().click()
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl -X POST /)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it("is read without scripts: nothing is offered that needs them", async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    await page.goto(`${service.url}/docs/v1/limits`)
    expect(await page.getByRole("button").allTextContents()).toEqual([])
    await page.getByRole("link", { name: "All pages" }).click()
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click()
    await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor()
    await page.getByRole("link", { name: "View as Markdown" }).click()
    expect(page.url()).toBe(`${service.url}/docs/v1/errors.md`)
    await page.context().close()
  })
})

describe.skipIf(!hasChromium)("the API reference", () => {
  it("shows each row of a table as a card on a phone, with the names of its columns", async () => {
    const { page } = await watchedPage(browser, { viewport: { width: 320, height: 844 } })
    await page.goto(`${service.url}/docs/v1/operations/get-history`)
    const labels: ReadonlyArray<string> = await page.evaluate(
      "[...document.querySelectorAll('.docs-table tr:first-child td + td')].slice(0, 3).map((cell) => getComputedStyle(cell, '::before').content)"
    )
    expect(labels).toEqual(['"in"', '"type"', '"meaning"'])
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.docs-table')].every((table) => table.scrollWidth <= table.clientWidth)"
      )
    ).toBe(true)
    await page.context().close()
  })

  it("lists all operations without scripts, each with a page of its own", async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false })
    await page.goto(`${service.url}/docs/v1/reference`)
    expect(await page.locator("article td:first-child a[href^='/docs/v1/operations/']").count()).toBe(OPERATIONS)
    await page.getByRole("link", { name: "Search for sites" }).first().click()
    expect(page.url()).toBe(`${service.url}/docs/v1/operations/browse-search`)
    for (const section of ["Request", "Examples", "Responses"])
      await page.getByRole("heading", { level: 2, name: section, exact: true }).waitFor()
    await page.context().close()
  })
})
