import { mkdirSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { startService } from "../server/TestService.ts"
import { PAGES, seedPages } from "./EveryPage.ts"
import { startBrowser, watchedPage } from "./TestBrowser.ts"

/*
 * Takes pictures of every page, filled with the golden reports, in four widths, light and dark:
 * `npm run screenshots -- --only home,docs- --width 320,1440 --to /tmp/shots`.
 */

const {
  values: { only, scheme, to, width }
} = parseArgs({
  options: {
    only: { type: "string", default: "" },
    scheme: { type: "string", default: "light,dark" },
    to: { type: "string", default: "screenshots" },
    width: { type: "string", default: "320,390,768,1440" }
  }
})

const schemes = (["light", "dark"] as const).filter((name) => scheme.split(",").includes(name))
const starts = only.split(",")
const service = await startService()
const browser = await startBrowser()
const runs = await seedPages(service)
const pages = PAGES.filter(({ name }) => starts.some((start) => name.startsWith(start)))
mkdirSync(to, { recursive: true })
for (const colorScheme of schemes) {
  const { page } = await watchedPage(browser, { colorScheme, reducedMotion: "reduce" })
  for (const pixels of width.split(",").map(Number)) {
    await page.setViewportSize({ width: pixels, height: 900 })
    for (const { name, path } of pages) {
      await page.goto(service.url + path(runs))
      await page.screenshot({ path: join(to, `${name}-${pixels}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.context().close()
}
await browser.close()
await service.stop()
process.stdout.write(`${pages.length} pages in ${to}/\n`)
