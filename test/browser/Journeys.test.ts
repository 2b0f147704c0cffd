import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * What people do, in a real browser: with scripts and without.
 */

let browser: Browser
let service: TestService
const runs = { earlier: "", later: "" }

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  runs.earlier = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev"))
  runs.later = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev", 2))
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

/** Does something on a page of its own, on which nothing may go wrong. */
const visiting = async (path: string, visit: (page: Page) => Promise<void>, javaScriptEnabled = true): Promise<void> => {
  const { faults, page } = await watchedPage(browser, { javaScriptEnabled })
  await page.goto(service.url + path)
  await visit(page)
  await page.context().close()
  expect(faults).toEqual([])
}

const ask = async (page: Page, address: string): Promise<void> => {
  await page.getByLabel("URL of a documentation site").fill(address)
  await page.getByRole("button", { name: "Audit" }).click()
}

const REPORT = /\/r\/[0-9a-f-]{36}$/

describe.skipIf(!hasChromium)("asking for an audit", () => {
  it("leads to its progress, which grows and becomes the report by itself", () =>
    visiting("/", async (page) => {
      await ask(page, "stepping.example.net")
      await page.waitForURL(REPORT)
      const bar = page.getByRole("progressbar")
      await bar.waitFor()
      await expect.poll(async () => (await page.locator("[data-count]").or(page.locator(".report")).first().textContent()) ?? "", { timeout: 60_000 }).toMatch(/[12]0 of 30/)
      await page.locator(".report").waitFor({ timeout: 120_000 })
      expect(await page.title()).toContain("stepping.example.net: 60 of 100")
    }))

  it("needs no script: the page reloads itself until it is the report", () =>
    visiting("/", async (page) => {
      await ask(page, "https://held.example.org")
      await page.waitForURL(REPORT)
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("held.example.org")
      service.auditor.release()
      await page.locator(".report").waitFor({ timeout: 120_000 })
    }, false))

  it.each([["with a script", true], ["without one", false]] as const)("says no beside the field, in words, and keeps what was typed: %s", (_how, javaScriptEnabled) =>
    visiting("/", async (page) => {
      await ask(page, "https://127.0.0.1/docs")
      const field = page.getByLabel("URL of a documentation site")
      await page.locator("#base-url-error:visible").waitFor()
      expect(await page.locator("#base-url-error").textContent()).toMatch(/cannot be audited/)
      expect([await field.inputValue(), await field.getAttribute("aria-invalid")]).toEqual(["https://127.0.0.1/docs", "true"])
      expect(await field.getAttribute("aria-describedby")).toContain("base-url-error")
    }, javaScriptEnabled))
})

describe.skipIf(!hasChromium)("a report", () => {
  it("opens a criterion to what was seen, why it matters and how to fix it, with the mouse and with the keyboard", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      const lost = page.locator("details.criterion").filter({ hasText: "How to fix it" })
      const [first, second] = [lost.nth(0), lost.nth(1)]
      expect(await first.getByRole("heading", { name: "What was seen" }).isVisible()).toBe(false)
      await first.locator("> summary").click()
      for (const name of ["What was seen", "Why it matters", /How to fix it/]) expect(await first.getByRole("heading", { name }).isVisible()).toBe(true)
      await second.locator("> summary").focus()
      await page.keyboard.press("Enter")
      expect(await second.getByRole("heading", { name: "What was seen" }).isVisible()).toBe(true)
    }))

  it.each([true, false])("is compared with an earlier one (scripts: %s)", (javaScriptEnabled) =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.getByRole("button", { name: "Compare" }).click()
      await page.waitForURL(new RegExp(`/r/${runs.later}/compare\\?baseline=${runs.earlier}`))
      expect(await page.locator("[data-delta]").first().textContent()).toContain("2")
      expect(await page.locator("tr[data-key=A1]").count()).toBe(1)
    }, javaScriptEnabled))

  it("shows its badge, and is there as JSON and Markdown", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.locator("img.badge").scrollIntoViewIfNeeded()
      await expect.poll(() => page.evaluate("document.querySelector('img.badge').naturalWidth"), { timeout: 60_000 }).toBeGreaterThan(80)
      for (const kind of ["json", "md"]) expect((await page.request.get(`${service.url}/r/${runs.later}.${kind}`)).status()).toBe(200)
    }))
})

describe.skipIf(!hasChromium)("searching", () => {
  it("finds while one types, and keeps the address in step", () =>
    visiting("/browse/search", async (page) => {
      await page.locator("#q").pressSequentially("example.d")
      await page.getByRole("link", { name: "docs.example.dev" }).waitFor()
      // A part of the text may have found the site already.
      await expect.poll(() => page.url(), { timeout: 60_000 }).toContain("q=example.d")
      await page.locator("#q").fill("nowhere at all")
      await page.getByText("No audited site has “nowhere at all” in its URL.").waitFor()
    }))

  it("needs no script", () =>
    visiting("/browse/search", async (page) => {
      await page.locator("#q").fill("example.d")
      await page.keyboard.press("Enter")
      await page.waitForURL(/q=example\.d/)
      expect(await page.getByRole("link", { name: "docs.example.dev" }).count()).toBe(1)
    }, false))
})

describe.skipIf(!hasChromium)("the theme", () => {
  const paper = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor")

  it("is the system's until it is switched, and stays as it was switched", async () => {
    const { faults, page } = await watchedPage(browser, { colorScheme: "dark" })
    await page.goto(`${service.url}/rubric`)
    const dark = await paper(page)
    await page.getByRole("button", { name: "Switch to light theme" }).click()
    const light = await paper(page)
    await page.goto(`${service.url}/browse`)
    expect([await paper(page), light === dark]).toEqual([light, false])
    await page.getByRole("button", { name: "Switch to dark theme" }).click()
    expect(await paper(page)).toBe(dark)
    await page.context().close()
    expect(faults).toEqual([])
  })
})
