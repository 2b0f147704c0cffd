import * as Effect from "effect/Effect"
import { type Answer, isAnswer } from "../../engine/evidence/Exchange.ts"
import type { MarkdownDocument } from "../../engine/site/MarkdownReader.ts"
import type { Page } from "../../engine/site/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import { countsAsOwnMarkdown } from "./OwnMarkdown.ts"

/** A page and the Markdown that an agent gets in its place. */
export interface MarkdownVersion {
  readonly page: Page
  /** The address that answered with Markdown: what its relative links are resolved against. */
  readonly url: string
  readonly answer: Answer
  readonly document: () => MarkdownDocument
}

/** Of each page of the sample that has Markdown: its twin, else what it answers to a request for Markdown. */
export const markdownVersions = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<ReadonlyArray<MarkdownVersion>> {
  const [twins, negotiation] = yield* Effect.all([site.twins, site.negotiation], { concurrency: "unbounded" })
  const own = countsAsOwnMarkdown(twins.pages.map(({ page }) => page))
  return twins.pages.flatMap(({ page, twin }): ReadonlyArray<MarkdownVersion> => {
    if (page.format === "markdown" && !own) return []
    if (twin !== null) return [{ page, url: twin.url, answer: twin.answer, document: twin.document }]
    const negotiated = negotiation.pages.find((one) => one.page.url === page.url)
    if (negotiated === undefined) return []
    const { document, exchange } = negotiated
    return document === null || !isAnswer(exchange) ? [] : [{ page, url: exchange.url, answer: exchange, document: () => document }]
  })
})
