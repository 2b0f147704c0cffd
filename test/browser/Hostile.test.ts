import * as Effect from "effect/Effect"
import MarkdownIt from "markdown-it"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { someDrift, someFalseCall } from "../drift/SomeDrift.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { HEADING, TITLES, WORD } from "../golden/hostile/Markup.ts"
import { goldenReport, seedRun } from "./SeededRuns.ts"
import { hasChromium, startBrowser, type WatchedPage, watchedPage } from "./TestBrowser.ts"

/*
 * Reports on sites that try to break the pages that show them: as audits make them, and as no audit would, with what the site
 * said as it said it.
 */

let browser: Browser
/** Of one tab, because each new one costs a process. */
let tab: WatchedPage
let service: TestService
const runs = { audited: "", raw: "", before: "", long: "", waiting: "", failed: "" }

const HARM = `</title></script><script>alert(1)</script><img src=x onerror="alert(2)"> ${Object.values(TITLES).join(" ")} ${HEADING} ${WORD}`
const ADDRESS = 'https://docs.evil.dev/<script>alert(3)</script>"onmouseover=alert(4)/\u202egnp.exe'

/** A report with harm in every text and address in it that could come from a site; titles and steps come from the rubric. */
const rawReport = (): AuditReport => {
  const report = goldenReport("typical")
  const evidence = [
    { url: ADDRESS, status: 200, note: HARM },
    { url: "javascript:alert(5)", status: null, note: HARM },
    { url: `https://docs.evil.dev/${WORD}`, status: 404, note: WORD }
  ]
  return {
    ...report,
    base_url: "https://docs.evil.dev",
    criteria: report.criteria.map((criterion) => ({
      ...criterion,
      summary: HARM,
      evidence_url: "javascript:alert(6)",
      evidence,
      remedy: {
        effort: "low",
        steps: ["Fix it."],
        addresses: ["javascript:alert(7)", ADDRESS, "data:text/html,<script>alert(8)</script>"]
      },
      measured: { ...criterion.measured, facts: { text: HARM } }
    })),
    signals: [{ id: HARM, seen: true, url: "javascript:alert(9)" }],
    drift: someDrift(
      [HARM, WORD].map((harm) =>
        someFalseCall({
          message: harm,
          call: harm,
          found: harm,
          expected: harm,
          likely: harm,
          page: { url: "javascript:alert(11)", line: 1 },
          description: { url: ADDRESS, pointer: harm }
        })
      )
    )
  }
}

const LONG_SITE = `https://docs.${"long-name.".repeat(18)}dev/${"path/".repeat(150)}`

/** A run that is never begun, for the tests' scheduler does not look for such. */
const accepted = (url: string): Promise<string> =>
  service.stores(
    RunStore.use((store) =>
      Effect.map(
        store.accept({
          url,
          site: url.replace("https://", ""),
          domain: new URL(url).hostname,
          rubricDigest: "sha256:0"
        }),
        ({ id }) => id
      )
    )
  )

beforeAll(async () => {
  if (!hasChromium) return
  browser = await startBrowser()
  tab = await watchedPage(browser, { viewport: { width: 390, height: 844 } })
  service = await startService()
  runs.audited = await seedRun(service, goldenReport("hostile"))
  runs.before = await seedRun(service, rawReport())
  runs.raw = await seedRun(service, rawReport())
  runs.long = await seedRun(service, { ...rawReport(), base_url: LONG_SITE })
  runs.waiting = await accepted(`${LONG_SITE}?<script>alert(10)</script>`)
  runs.failed = await accepted("https://docs.failed.dev")
  await service.stores(RunStore.use((store) => store.giveUp(runs.failed, { code: "audit_failed", message: HARM })))
})

afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await service.stop()
})

const SEARCH = encodeURIComponent(HARM.slice(0, 300))

const PAGES: ReadonlyArray<readonly [name: string, path: () => string]> = [
  ["the report of an audit", () => `/r/${runs.audited}`],
  ["a report with everything as the site said it", () => `/r/${runs.raw}`],
  ["a report on a site with a long name", () => `/r/${runs.long}`],
  ["a run that waits", () => `/r/${runs.waiting}`],
  ["a run that failed", () => `/r/${runs.failed}`],
  ["a comparison", () => `/r/${runs.raw}/compare?baseline=${runs.before}`],
  ["the overview", () => "/browse"],
  ["a leaderboard", () => "/browse/top?window=all"],
  ["a search", () => `/browse/search?q=${SEARCH}`],
  ["statistics", () => "/browse/stats"],
  ["a site", () => "/browse/site?site=docs.evil.dev"],
  ["an unknown site", () => `/browse/site?site=${SEARCH}`],
  ["the start", () => "/"]
]

/** Characters that move a cursor, colour a terminal, hide or turn text. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/

/** Elements that only markup of a site could have made, and attributes that run something. */
const INTRUDERS = `[...document.querySelectorAll("*")].filter((element) =>
  [...element.attributes].some(({ name, value }) => name.startsWith("on") || (["href", "src", "action"].includes(name) && /^\\s*(?:javascript|data:text)/i.test(value)))
  || (element.tagName === "SCRIPT" && !element.src && element.type !== "application/json" && element.type !== "application/ld+json")
  || (element.tagName === "IMG" && element.getAttribute("src") === "x")).map((element) => element.outerHTML.slice(0, 200))`

/** Renders Markdown as carelessly as can be: markup as it is, links to anywhere. */
const trusting = new MarkdownIt({ html: true, linkify: true })
trusting.validateLink = () => true

describe.skipIf(!hasChromium)("hostile content is text", () => {
  it.each(PAGES)("on %s, which keeps its shape on a phone", async (_name, path) => {
    const { faults, page } = tab
    const earlier = faults.length
    const answer = await page.goto(service.url + path())
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")
    const found = {
      status: (answer?.status() ?? 0) < 500,
      faults: faults.slice(earlier),
      intruders: await page.evaluate(INTRUDERS),
      invisible: INVISIBLE.exec(await page.content())?.[0] ?? null,
      sideways: await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    }
    expect(found).toEqual({ status: true, faults: [], intruders: [], invisible: null, sideways: 0 })
  })

  it("in Markdown, which stays one document without links to scripts", async () => {
    for (const id of [runs.audited, runs.raw]) {
      const markdown = await (await service.ask(`/r/${id}.md`)).text()
      expect(INVISIBLE.exec(markdown)).toBeNull()
      const rendered = trusting.render(markdown)
      expect(/<(?:script|img|title|style)|(?:href|src)="(?:javascript|data):/i.exec(rendered)).toBeNull()
      expect(rendered.match(/<h1>/g)).toHaveLength(1)
    }
  })

  it("in share images, which keep their shape", async () => {
    for (const id of [runs.audited, runs.raw, runs.long, runs.waiting, runs.failed]) {
      const png = Buffer.from(await (await service.ask(`/r/${id}/og.png`)).arrayBuffer())
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    }
  })

  it("in badges, which a browser shows as an image and runs nothing of", async () => {
    const { faults, page } = await watchedPage(browser)
    await page.goto(`${service.url}/r/${runs.raw}/badge.svg`)
    expect(await page.evaluate("document.documentElement.tagName")).toBe("svg")
    await page.context().close()
    expect(faults).toEqual([])
  })
})
