import type { Page } from "../../engine/site/Page.ts"

/**
 * Whether a page that is Markdown itself counts as its own Markdown version: only where half of the sampled pages or
 * more are Markdown. A stray file among web pages is a page without a twin like any other.
 */
export const countsAsOwnMarkdown = (pages: ReadonlyArray<Page>): boolean =>
  pages.filter(({ format }) => format === "markdown").length * 2 >= pages.length
