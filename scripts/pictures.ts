/**
 * `npm run pictures` writes the pictures of the README into docs/pictures/, light and dark: the report of the bundled sample site as
 * a page of the service (PNG) and as text of the command line (SVG).
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { colours } from "../cli/render/Style.ts"
import { renderText } from "../cli/render/TextReport.ts"
import type { AuditReport } from "../engine/audit/Report.ts"
import { startBrowser, watchedPage } from "../test/browser/TestBrowser.ts"
import { seedRun } from "../test/browser/SeededRuns.ts"
import { TYPICAL_URL } from "../test/golden/typical/Site.ts"
import { startService } from "../test/server/TestService.ts"
import { terminalPicture } from "./TerminalPicture.ts"

const ROOT = resolve(import.meta.dirname, "..")
const PICTURES = join(ROOT, "docs", "pictures")
const SCHEMES = ["light", "dark"] as const

/** Columns and lines of the terminal: all that comes before the second fix. */
const COLUMNS = 80
const LINES = 25

/** The part of the page in CSS pixels: from its heading down to the first fix. */
const PART = { x: 50, y: 90, width: 900, height: 960 }

/** The report of `npm run audit`, under the name that the sample site has. */
const sampleReport = (): AuditReport => {
  const text = execFileSync(process.execPath, [join(ROOT, "scripts/audit.ts"), "--format", "json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 26
  })
  const { origin } = new URL(JSON.parse(text).base_url)
  return JSON.parse(text.replaceAll(origin, new URL(TYPICAL_URL).origin))
}

mkdirSync(PICTURES, { recursive: true })
const report = sampleReport()
const lines = renderText(report, { width: COLUMNS, style: colours }).split("\n").slice(0, LINES)
const service = await startService()
const browser = await startBrowser()
const run = await seedRun(service, report)
for (const scheme of SCHEMES) {
  writeFileSync(
    join(PICTURES, `terminal-${scheme}.svg`),
    terminalPicture(["$ npm run audit", "", ...lines], { columns: COLUMNS, scheme })
  )
  const { page } = await watchedPage(browser, {
    colorScheme: scheme,
    reducedMotion: "reduce",
    viewport: { width: 1000, height: 900 }
  })
  await page.goto(`${service.url}/r/${run}`)
  await page.screenshot({ path: join(PICTURES, `report-${scheme}.png`), fullPage: true, clip: PART })
  await page.context().close()
}
await browser.close()
await service.stop()
for (const name of SCHEMES.flatMap((scheme) => [`report-${scheme}.png`, `terminal-${scheme}.svg`])) {
  process.stdout.write(`${join("docs/pictures", name)}: ${readFileSync(join(PICTURES, name)).length} bytes\n`)
}
