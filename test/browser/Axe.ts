import axe from "axe-core"
import type { BrowserContext, Page } from "playwright-core"

/** Makes axe-core known to every page of a context; the content policy of a page would not let it be added later. */
export const withAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript({ content: axe.source })

/** All rules, the size of targets (WCAG 2.2) among them. */
const ALL: axe.RunOptions = { rules: { "target-size": { enabled: true } } }

/** The rules that colours decide. */
const OF_COLOURS: axe.RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] }

/** What axe-core finds on a page, each with the elements that it concerns. `colours`: only what another colour scheme may change. */
export const barriersOn = async (page: Page, rules: "all" | "colours" = "all"): Promise<ReadonlyArray<string>> => {
  // What passes need not be told in full.
  const options: axe.RunOptions = { ...(rules === "all" ? ALL : OF_COLOURS), resultTypes: ["violations"] }
  const found: string = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`
  )
  const violations: axe.AxeResults["violations"] = JSON.parse(found)
  return violations.map(
    ({ help, id, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ any, html }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`)
        .join(" | ")}`
  )
}
