import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../server/TestService.ts"
import { goldenReport, reportFor, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * Pages without a mouse.
 */

let browser: Browser
/** In one tab, because each new one costs a process. */
let page: Page
let service: TestService
let run = ""

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  ;({ page } = await watchedPage(browser))
  service = await startService()
  await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev"))
  run = await seedRun(service, reportFor(goldenReport("typical"), "https://docs.example.dev", 2))
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

const PATHS: ReadonlyArray<readonly [name: string, path: () => string]> = [
  ["start", () => "/"],
  ["report", () => `/r/${run}`],
  ["comparison", () => `/r/${run}/compare`],
  ["leaderboard", () => "/browse/top?window=all"],
  ["search", () => "/browse/search?q=docs"],
  ["rubric", () => "/rubric"],
  ["documentation", () => "/docs/v1/errors"]
]

/** Marks whatever can be shown and used, and returns how much that is; groups of radio buttons count once. */
const MARK = `(() => {
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.type !== "hidden" && element.tabIndex >= 0 && (element.type !== "radio" || element.checked))
  controls.forEach((element, index) => { element.dataset.control = String(index) })
  return controls.length
})()`

/** The number of what has the focus, and whether it can be seen that it has; -1: nothing marked. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(element)
  return [Number(element.dataset.control ?? -1), (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none"]
})()`

const tabbed = async (
  page: Page,
  most: number
): Promise<{ readonly reached: ReadonlyArray<number>; readonly unseen: ReadonlyArray<number> }> => {
  const [reached, unseen]: [Array<number>, Array<number>] = [[], []]
  for (let press = 0; press < most; press++) {
    await page.keyboard.press("Tab")
    const [control, isSeen]: [number, boolean] = await page.evaluate(FOCUSED)
    if (control < 0) continue
    reached.push(control)
    if (!isSeen) unseen.push(control)
  }
  return { reached, unseen }
}

describe.skipIf(!hasChromium)("the keyboard", () => {
  it.each(PATHS)(
    "reaches every control of the %s in the order of the page, and shows where it is",
    async (_name, path) => {
      await page.goto(service.url + path())
      const controls: number = await page.evaluate(MARK)
      const { reached, unseen } = await tabbed(page, controls)
      expect({ reached, unseen }).toEqual({
        reached: Array.from({ length: controls }, (_, index) => index),
        unseen: []
      })
    }
  )

  it.each(PATHS)("skips the head of the %s", async (_name, path) => {
    await page.goto(service.url + path())
    await page.keyboard.press("Tab")
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    const isWithin: boolean = await page.evaluate("document.querySelector('main').contains(document.activeElement)")
    expect(isWithin).toBe(true)
  })
})
