import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, stopClock, watchedPage } from "./TestBrowser.ts"

/*
 * What people do, in a real browser: with scripts and without.
 */

let browser: Browser
let service: TestService
const runs = { earlier: "", later: "", other: "" }

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  runs.earlier = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev"))
  runs.later = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev", 2))
  runs.other = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.other.dev"))
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

/** Does something on a page of its own, on which nothing may go wrong. */
const visiting = async (
  path: string,
  visit: (page: Page) => Promise<void>,
  javaScriptEnabled = true
): Promise<void> => {
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
      await ask(page, "strolling.example.net")
      await page.waitForURL(REPORT)
      const bar = page.getByRole("progressbar")
      await bar.waitFor()
      service.auditor.step()
      await page.getByText("/step-10").waitFor({ timeout: 60_000 })
      expect(
        await page
          .getByRole("list", { name: "Criteria measured by category" })
          .getByRole("listitem")
          .first()
          .textContent()
      ).toMatch(/Discovery\s*5 of 5/)
      service.auditor.step()
      await expect.poll(() => page.locator("[data-count]").textContent(), { timeout: 60_000 }).toMatch(/20 of 30/)
      service.auditor.step()
      await page.locator(".report").waitFor({ timeout: 120_000 })
      expect(await page.title()).toContain("strolling.example.net: 60 of 100")
    }))

  it("counts the time in seconds, then in minutes, also between answers", () =>
    visiting("/", async (page) => {
      await page.clock.install()
      await ask(page, "https://held.example.com")
      await page.waitForURL(REPORT)
      await page.getByRole("progressbar").waitFor()
      await page.route(REPORT, (route) => route.abort())
      await page.clock.runFor(10_000)
      expect(await page.locator("[data-seconds]").textContent()).toMatch(/^[1-5]\d seconds$/)
      await page.clock.runFor(110_000)
      expect(await page.locator("[data-seconds]").textContent()).toBe("2 minutes")
    }))

  it("needs no script: the page reloads itself until it is the report", () =>
    visiting(
      "/",
      async (page) => {
        await ask(page, "https://held.example.org")
        await page.waitForURL(REPORT)
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("held.example.org")
        service.auditor.release()
        await page.locator(".report").waitFor({ timeout: 120_000 })
      },
      false
    ))

  it.each([
    ["with a script", true],
    ["without one", false]
  ] as const)("says no beside the field, in words, and keeps what was typed: %s", (_how, javaScriptEnabled) =>
    visiting(
      "/",
      async (page) => {
        await ask(page, "https://127.0.0.1/docs")
        const field = page.getByLabel("URL of a documentation site")
        await page.locator("#base-url-error:visible").waitFor()
        expect(await page.locator("#base-url-error").textContent()).toMatch(/cannot be audited/)
        expect([await field.inputValue(), await field.getAttribute("aria-invalid")]).toEqual([
          "https://127.0.0.1/docs",
          "true"
        ])
        expect(await field.getAttribute("aria-describedby")).toContain("base-url-error")
      },
      javaScriptEnabled
    )
  )
})

describe.skipIf(!hasChromium)("the ways in", () => {
  it("are commands to copy", async () => {
    const { faults, page } = await watchedPage(browser, { permissions: ["clipboard-read", "clipboard-write"] })
    await page.goto(service.url)
    const button = page.getByRole("button", { name: "Copy this code" }).first()
    expect(await button.textContent()).toBe("Copy")
    await stopClock(page)
    await button.click()
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npx docgauge https://docs.example.com")
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe.skipIf(!hasChromium)("a report", () => {
  it("opens a criterion to what we found, why it matters and how to fix it, with the mouse and with the keyboard", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      const lost = page.locator("details.criterion").filter({ hasText: "How to fix it" })
      const [first, second] = [lost.nth(0), lost.nth(1)]
      expect(await first.getByRole("heading", { name: "What we found" }).isVisible()).toBe(false)
      await first.locator("> summary").click()
      for (const name of ["What we found", "Why it matters", /How to fix it/])
        expect(await first.getByRole("heading", { name }).isVisible()).toBe(true)
      await second.locator("> summary").focus()
      await page.keyboard.press("Enter")
      expect(await second.getByRole("heading", { name: "What we found" }).isVisible()).toBe(true)
    }))

  it("prints light and without controls", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" })
      expect(await page.locator(".no-print:visible, button:visible").count()).toBe(0)
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)")
    }))

  it("copies the prompt of a fix, which names its criterion and its steps", async () => {
    const { faults, page } = await watchedPage(browser, { permissions: ["clipboard-read", "clipboard-write"] })
    await page.goto(`${service.url}/r/${runs.later}`)
    const button = page.getByRole("button", { name: "Copy prompt: B1", exact: true })
    await stopClock(page)
    await button.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor()
    // Enter once more changes nothing while the button says so, and the focus stays on it.
    await page.keyboard.press("Enter")
    expect(await button.textContent()).toBe("Copied")
    await page.clock.runFor(1_500)
    await button.filter({ hasText: "Copy prompt" }).waitFor()
    expect(await page.evaluate("document.activeElement.dataset.copy")).toBe("prompt-B1")
    const copied: string = await page.evaluate("navigator.clipboard.readText()")
    expect(copied).toMatch(/^Improve the documentation at `https:\/\/docs\.example\.dev` for AI agents: B1, B3 /)
    expect(copied).toContain("- Publish the Markdown of each page")
    await page.context().close()
    expect(faults).toEqual([])
  })

  it.each([true, false])(
    "shows only the criteria that lost points if asked to, and whatever a link leads to (scripts: %s)",
    (javaScriptEnabled) =>
      visiting(
        `/r/${runs.later}`,
        async (page) => {
          const shown = page.locator(".criterion-row:visible")
          const [all, lost] = [await shown.count(), await page.locator(".criterion-row:not(.is-full)").count()]
          await page.getByLabel("Lost points").check()
          expect([await shown.count(), lost < all]).toEqual([lost, true])
          await page.goto(`${page.url()}#C1`)
          await page.getByLabel("Lost points").check()
          expect(await shown.count()).toBe(lost + 1)
        },
        javaScriptEnabled
      )
  )

  it("ends within five screens of a laptop, before anything is opened", () =>
    visiting(`/r/${runs.other}`, async (page) => {
      await page.setViewportSize({ width: 1_280, height: 800 })
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(5 * 800)
    }))

  it("fits on eight sheets of paper", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1")
      expect(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 99).toBeLessThanOrEqual(8)
    }))

  it("opens and closes all criteria at once", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.getByRole("button", { name: "Expand all" }).click()
      expect(await page.locator("details.criterion:not([open])").count()).toBe(0)
      await page.getByRole("button", { name: "Collapse all" }).click()
      expect(await page.locator("details.criterion[open]").count()).toBe(0)
    }))

  it("keeps the score and the sections in view while one scrolls", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.locator("#share").scrollIntoViewIfNeeded()
      const bar = page.getByRole("navigation", { name: "On this page" })
      await expect.poll(async () => (await bar.boundingBox())?.y).toBe(0)
      expect((await bar.textContent())?.replaceAll(/\s+/g, " ")).toContain("46 Gaps")
    }))

  it.each([true, false])("is compared with an earlier one (scripts: %s)", (javaScriptEnabled) =>
    visiting(
      `/r/${runs.later}`,
      async (page) => {
        await page.getByRole("region", { name: "History" }).getByRole("button", { name: "Compare" }).click()
        await page.waitForURL(new RegExp(`/r/${runs.later}/compare\\?baseline=${runs.earlier}`))
        expect(await page.locator("[data-delta]").first().textContent()).toContain("2")
        expect(await page.locator(".pair[data-key=A1]").count()).toBe(1)
      },
      javaScriptEnabled
    )
  )

  it.each([true, false])("is compared with another site (scripts: %s)", (javaScriptEnabled) =>
    visiting(
      `/r/${runs.later}`,
      async (page) => {
        await page.getByText("With another site", { exact: true }).click()
        await page.getByRole("textbox", { name: "Compare with another site" }).fill("docs.other.dev")
        await page.getByRole("region", { name: "Compare" }).getByRole("button", { name: "Compare" }).click()
        await page.waitForURL(new RegExp(`/r/${runs.later}/compare\\?baseline=${runs.other}`))
        expect(await page.locator(".compared-scores").textContent()).toContain("docs.other.dev")
      },
      javaScriptEnabled
    )
  )

  it("shows its badge, and is there as JSON and Markdown", () =>
    visiting(`/r/${runs.later}`, async (page) => {
      await page.getByText("Badges", { exact: true }).click()
      await page.locator("img.badge").scrollIntoViewIfNeeded()
      await expect
        .poll(() => page.evaluate("document.querySelector('img.badge').naturalWidth"), { timeout: 60_000 })
        .toBeGreaterThan(80)
      for (const kind of ["json", "md"])
        expect((await page.request.get(`${service.url}/r/${runs.later}.${kind}`)).status()).toBe(200)
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
    visiting(
      "/browse/search",
      async (page) => {
        await page.locator("#q").fill("example.d")
        await page.keyboard.press("Enter")
        await page.waitForURL(/q=example\.d/)
        expect(await page.getByRole("link", { name: "docs.example.dev" }).count()).toBe(1)
      },
      false
    ))
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
