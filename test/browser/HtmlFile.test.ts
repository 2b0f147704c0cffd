import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { AxeResults } from "axe-core"
import * as Schema from "effect/Schema"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { renderHtml } from "../../engine/report/html/HtmlReport.ts"
import { AuditReport } from "../../engine/audit/Report.ts"
import { someCriterion, someReport } from "../audit/SomeReport.ts"
import { withAxe } from "./Axe.ts"
import { hasChromium, startBrowser } from "./TestBrowser.ts"

/* The HTML report (`--format html`), opened from a disk. */

const folder = mkdtempSync(join(tmpdir(), "docgauge-html-"))

const golden = (name: string): AuditReport =>
  Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(
    readFileSync(new URL(`../golden/${name}/report.json`, import.meta.url), "utf8")
  )

const REPORTS: ReadonlyArray<readonly [string, AuditReport]> = [
  ["typical", golden("typical")],
  ["poor", golden("poor")],
  [
    "hostile",
    someReport({
      base_url: "https://docs.example.com/%3Cscript%3E",
      criteria: [
        someCriterion({
          id: "A1",
          status: "absent",
          score: 0,
          title: "<img src=x onerror=document.title='hit'>",
          summary: "</style></script><script>document.title='hit'</script><iframe src=https://evil.example></iframe>",
          findings: [
            {
              url: "https://docs.example.com/",
              status: 200,
              note: "<script src=https://evil.example/x.js></script>",
              good: false
            }
          ]
        })
      ]
    })
  ]
]

let browser: Browser
beforeAll(async () => {
  if (hasChromium) browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** Opens the file without a network; what it asks for and complains of is noted. */
const opened = async (report: AuditReport, options: BrowserContextOptions) => {
  const path = join(folder, "report.html")
  writeFileSync(path, renderHtml(report, { words: { verdicts: [], why: new Map() } }))
  const context = await browser.newContext({ ...options, offline: true })
  if (options.javaScriptEnabled !== false) await withAxe(context)
  const page = await context.newPage()
  const faults: Array<string> = []
  const own = pathToFileURL(path).href
  page.on("request", (request) => {
    if (request.url() !== own) faults.push(`asks for ${request.url()}`)
  })
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text())
  })
  page.on("pageerror", (error) => {
    faults.push(String(error))
  })
  await page.goto(own)
  return { context, page, faults }
}

describe.skipIf(!hasChromium).each(REPORTS)("the HTML file of a %s report", (_, report) => {
  it("shows score and criteria without scripts and without a network, and asks for nothing", async () => {
    const { context, faults, page } = await opened(report, { javaScriptEnabled: false })
    const text = await page.innerText("body")
    expect(text).toContain(String(report.total_score))
    expect(text.length).toBeGreaterThan(100)
    for (const { id } of report.criteria) expect(await page.content()).toContain(id)
    expect([await page.title(), faults]).toEqual([expect.not.stringMatching(/^hit$/), []])
    await context.close()
  })

  it.each([
    ["a desktop", { width: 1280, height: 900 }],
    ["a phone", { width: 360, height: 740 }]
  ])(
    "has nothing that axe finds on %s, does not scroll sideways, and runs no script of the site",
    async (_, viewport) => {
      const { context, faults, page } = await opened(report, { viewport })
      const found: string = await page.evaluate("axe.run().then((results) => JSON.stringify(results))")
      const { violations }: AxeResults = JSON.parse(found)
      expect(violations.map(({ help, id, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(
        true
      )
      expect([await page.title(), faults]).toEqual([expect.not.stringMatching(/^hit$/), []])
      await context.close()
    }
  )
})
