import * as Effect from "effect/Effect"
import { isAnswer } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import { derivations } from "../site/Derivations.ts"
import type { SiteUnderAudit } from "../site/Site.ts"
import { plainText } from "../text/PlainText.ts"
import type { SampledPage } from "./Report.ts"

/** How tokens are estimated, as reports name it: no model is involved, so the same bytes give the same number. */
export const TOKEN_ESTIMATOR = "utf8-bytes/4"

const BYTES_PER_TOKEN = 4

/** Bytes of text as sent, without content coding, divided by 4 and rounded up: close to what tokenizers make of English text. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)

const LONGEST_TITLE = 200

/** A page of the sample as it was fetched, before criteria are judged. */
export type FetchedPage = Omit<SampledPage, "failed">

/** The sample in its order, failed requests included. */
export const fetchedPages = Effect.fn("SamplePages.of")(function*(audited: SiteUnderAudit): Effect.fn.Return<ReadonlyArray<FetchedPage>> {
  const site = audited.for("site/audit")
  const { visits } = yield* site.sample
  // What no criterion of the rubric asked for is not fetched for this.
  const versions = audited.callersOf(derivations.markdownVersions.collector).length > 0 ? (yield* site.markdownVersions).pages : []
  return visits.map(({ exchange, page }): FetchedPage => ({
    url: exchange.url,
    status: isAnswer(exchange) ? exchange.status : null,
    title: plainText(page?.title ?? "", LONGEST_TITLE),
    bytes: page?.bytes ?? 0,
    tokens: {
      html: page?.format === "html" ? tokensOf(page.bytes) : null,
      markdown: markdownTokens(page, versions)
    }
  }))
})

const markdownTokens = (page: Page | null, versions: ReadonlyArray<{ readonly page: Page; readonly version: { readonly text: string } | null }>): number | null => {
  if (page === null) return null
  if (page.format === "markdown") return tokensOf(page.bytes)
  const version = versions.find((versioned) => versioned.page === page)?.version ?? null
  return version === null ? null : tokensOf(Buffer.byteLength(version.text))
}
