import type { Page } from "../../engine/page/Page.ts"

/**
 * Whether a page that is Markdown itself counts as its own Markdown version: only if at least half of the sampled pages
 * are Markdown. A stray Markdown file among HTML pages needs a Markdown version like any other page.
 */
export const countsAsOwnMarkdown = (pages: ReadonlyArray<Page>): boolean =>
  pages.filter(({ format }) => format === "markdown").length * 2 >= pages.length
