import * as Effect from "effect/Effect"
import { type Answer, isAnswer } from "../../engine/evidence/Exchange.ts"
import type { MarkdownDocument } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import { countsAsOwnMarkdown } from "./OwnMarkdown.ts"

/** A page and its Markdown version. */
export interface MarkdownVersion {
  readonly page: Page
  /** The URL that returned the Markdown: relative links are resolved against it. */
  readonly url: string
  readonly answer: Answer
  readonly document: () => MarkdownDocument
}

/** For each sampled page that has one: its Markdown version by URL, else the negotiated one. */
export const markdownVersionsOf = Effect.fnUntraced(function* (
  site: Site
): Effect.fn.Return<ReadonlyArray<MarkdownVersion>> {
  const [markdownVersions, negotiation] = yield* Effect.all([site.markdownVersions, site.negotiation], {
    concurrency: "unbounded"
  })
  const own = countsAsOwnMarkdown(markdownVersions.pages.map(({ page }) => page))
  return markdownVersions.pages.flatMap(({ page, version }): ReadonlyArray<MarkdownVersion> => {
    if (page.format === "markdown" && !own) return []
    if (version !== null) return [{ page, url: version.url, answer: version.answer, document: version.document }]
    const negotiated = negotiation.pages.find((one) => one.page.url === page.url)
    if (negotiated === undefined) return []
    const { document, exchange } = negotiated
    return document === null || !isAnswer(exchange)
      ? []
      : [{ page, url: exchange.url, answer: exchange, document: () => document }]
  })
})
