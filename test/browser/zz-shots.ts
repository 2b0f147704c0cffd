import { startBrowser, watchedPage } from "./TestBrowser.ts"
import { barriersOn, withAxe } from "./Axe.ts"
import { startService } from "../server/TestService.ts"
const service = await startService({})
const b = await startBrowser()
try {
const paths = (process.argv[2] ?? "/docs/v1,/docs/v1/errors,/docs/v1/operations/submit-audit,/bot").split(",")
for (const path of paths) for (const [w, scheme] of [[390,"light"],[768,"dark"],[1440,"light"],[1440,"dark"]] as const) {
  const { page, faults } = await watchedPage(b, { viewport: { width: w, height: 900 }, colorScheme: scheme, deviceScaleFactor: 1 })
  await withAxe(page.context())
  await page.goto(service.url + path, { waitUntil: "load" })
  if (path.endsWith("/reference")) await page.waitForTimeout(4000)
  const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
  await page.screenshot({ path: `/tmp/shot${path.replaceAll("/","_")}-${w}-${scheme}.png`, fullPage: path.endsWith("/reference") ? false : false })
  console.log(path, w, scheme, "overflow", over, faults.slice(0,5), await barriersOn(page))
  await page.context().close()
}
} finally { await b.close(); await service.stop() }
