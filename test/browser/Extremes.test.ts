import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { databaseOf, layerDatabase } from "../../engine/store/Database.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import { seed } from "../bench/seed.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { goldenReport, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * A site with ten thousand runs, and reports whose texts are as long and as foreign as can be, on the smallest phone.
 */

const folder = mkdtempSync(join(tmpdir(), "docgauge-extremes-"))
let browser: Browser
let service: TestService
let busy: string

const WORD = "w".repeat(300)
const FOREIGN = `${WORD} ${"ש".repeat(300)} ${"نص".repeat(150)} ${"📚".repeat(100)} ${"文".repeat(300)}`

/** The report with the same part of the points for every criterion, and such texts wherever a site's could be. */
const extreme = (score: 0 | 1, url: string): AuditReport => {
  const report = goldenReport("typical")
  return {
    ...report,
    base_url: url,
    total_score: score * 100,
    categories: Object.fromEntries(
      Object.entries(report.categories).map(([key, category]) => [key, { ...category, score: score * category.max }])
    ),
    criteria: report.criteria.map((criterion) => ({
      ...criterion,
      status: score === 1 ? "present" : "absent",
      score: score * criterion.max,
      summary: FOREIGN,
      evidence: [{ url: `https://docs.extreme.dev/${WORD}`, status: 200, note: FOREIGN }],
      findings: [
        {
          url: `https://docs.extreme.dev/${encodeURIComponent("نص".repeat(50))}`,
          status: 404,
          note: FOREIGN,
          good: false
        }
      ]
    })),
    ...(report.pages === undefined
      ? {}
      : { pages: report.pages.map((page) => ({ ...page, title: FOREIGN, url: `https://docs.extreme.dev/${WORD}` })) })
  }
}

beforeAll(async () => {
  if (!hasChromium) return
  const database = `file:${join(folder, "busy.db")}`
  const address = databaseOf(database)
  if (address === null || address._tag === "Memory") throw new Error("no database")
  await Effect.runPromise(
    Effect.provide(
      seed({ runs: 10_000, sites: 1, days: 400, reportBytes: 200 }, Date.now() * 1_000),
      layerDatabase(address)
    )
  )
  browser = await startBrowser()
  service = await startService({ env: { DOCGAUGE_DATABASE_URL: database } })
  const [site] = await service.stores(Corpus.use((corpus) => corpus.recent(1)))
  busy = site?.site ?? ""
})

afterAll(async () => {
  if (hasChromium) {
    await browser.close()
    await service.stop()
  }
  rmSync(folder, { recursive: true })
})

/** Elements with text of their own that reach beyond the screen, unless something around them scrolls or cuts them. */
const OUTSIDE = `[...document.querySelectorAll("main *")].filter((element) => {
  if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "")) return false
  const { left, right, width } = element.getBoundingClientRect()
  if (width < 2 || (left >= -1 && right <= innerWidth + 1)) return false
  for (let around = element; around !== document.body; around = around.parentElement) if (getComputedStyle(around).overflowX !== "visible") return false
  return true
}).map((element) => element.outerHTML.slice(0, 160))`

/** Everything is open, as somebody reads it. */
const seen = async (path: string) => {
  const { faults, page } = await watchedPage(browser, {
    viewport: { width: 320, height: 800 },
    reducedMotion: "reduce"
  })
  await withAxe(page.context())
  const answer = await page.goto(service.url + path)
  await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")
  const found = {
    status: answer?.status(),
    faults,
    sideways: await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    outside: await page.evaluate(OUTSIDE),
    barriers: await barriersOn(page)
  }
  const text = ((await page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ")
  await page.context().close()
  expect(found).toEqual({ status: 200, faults: [], sideways: 0, outside: [], barriers: [] })
  return text
}

describe.skipIf(!hasChromium)("on the smallest phone", () => {
  it("the page of a site with ten thousand runs shows the newest, and leads to the others", async () => {
    const path = `/browse/site?${new URLSearchParams({ site: busy }).toString()}`
    expect(await seen(path)).toMatch(/of the last \d+ reliable audits.*Older audits/)
    expect(await seen("/browse")).toMatch(/Audits ?9,\d{3}/)
  })

  it.each([
    [0, "https://xn--mgbh0fb.xn--kgbechtv"],
    [1, `https://docs.extreme.dev/${WORD}`]
  ] as const)(
    "a report of score %d hundred with words of 300 letters, from right to left and of emoji keeps its shape, and so does its comparison",
    async (score, url) => {
      const id = await seedRun(service, extreme(score, url))
      const other = await seedRun(service, extreme(score === 0 ? 1 : 0, "https://docs.other.example/%F0%9F%93%9A"))
      expect(await seen(`/r/${id}`)).toContain(`${score * 100} of 100`)
      expect(await seen(`/r/${id}/compare?baseline=${other}`)).toContain(score === 0 ? "−100" : "+100")
    }
  )
})
