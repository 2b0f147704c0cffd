import * as Effect from "effect/Effect"
import { type Exchange, isMissing } from "../../engine/evidence/Exchange.ts"
import type { MarkdownVersions, VersionAttempt, VersionedPage } from "../../engine/site/markdown/MarkdownVersions.ts"
import type { Site } from "../../engine/site/Site.ts"

/** Pages that may have a Markdown version, because a response is missing. */
export interface MissingVersions {
  /** Pages without a version that may have one. */
  readonly pages: ReadonlyArray<VersionedPage>
  readonly missing: ReadonlyArray<Exchange>
}

/**
 * The pages for which a URL did not answer; all pages without a version, if that URL could have taught a pattern that the site's
 * other versions do not have.
 */
export const missingVersions = ({ learnt, pages }: MarkdownVersions): MissingVersions => {
  const without = pages.filter(({ version }) => version === null)
  const unread = pages.flatMap(({ attempts }) => attempts.filter(isUnread))
  const teaches = unread.some(({ how }) => learnt.length === 0 || (how !== "declared" && !learnt.includes(how)))
  const maybe = teaches ? without : without.filter(({ attempts }) => attempts.some(isUnread))
  return { pages: maybe, missing: maybe.length === 0 ? [] : unread.map(({ exchange }) => exchange) }
}

const isUnread = ({ exchange, verdict }: VersionAttempt): boolean => verdict === "unobtainable" && isMissing(exchange)

/** How many pages may have a Markdown version that we could not read, and the missing responses. */
export interface Unseen {
  readonly pages: number
  readonly missing: ReadonlyArray<Exchange>
}

/** Sampled pages without a Markdown version that may have one. */
export const mayHaveVersions = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Unseen> {
  const [versions, negotiation] = [yield* site.markdownVersions, yield* site.negotiation]
  const byUrl = missingVersions(versions)
  const without = negotiation.pages.filter(
    ({ exchange, page, verdict }) =>
      verdict === "unobtainable" &&
      isMissing(exchange) &&
      !byUrl.pages.some((one) => one.page === page) &&
      versions.pages.some((one) => one.page === page && one.version === null)
  )
  return {
    pages: byUrl.pages.length + without.length,
    missing: [...byUrl.missing, ...without.map(({ exchange }) => exchange)]
  }
})
