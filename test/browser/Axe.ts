import axe from "axe-core"
import type { BrowserContext, Page } from "playwright-core"

/** Makes axe-core known to every page of a context; the content policy of a page would not let it be added later. */
export const withAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript({ content: axe.source })

/** What axe-core finds on a page, the size of targets (WCAG 2.2) among it, each with the elements that it concerns. */
export const barriersOn = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found: string = await page.evaluate(
    "axe.run({ rules: { 'target-size': { enabled: true } } }).then((results) => JSON.stringify(results))"
  )
  const { violations }: axe.AxeResults = JSON.parse(found)
  return violations.map(
    ({ help, id, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ any, html }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`)
        .join(" | ")}`
  )
}
