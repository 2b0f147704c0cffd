import * as Effect from "effect/Effect"
import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { Page } from "../../page/Page.ts"
import type { Base, GatherContext } from "../base/Derivation.ts"
import { isCopyOfBase, missingAmong } from "../sample/Sample.ts"
import type { Sitemaps } from "../wellknown/Sitemap.ts"

/** What a search for pages beyond the sample found. */
export interface PageSearch {
  readonly pages: ReadonlyArray<Page>
  /** Missing responses to further such pages. */
  readonly missing: ReadonlyArray<Exchange>
}

/** Reads pages, all at once. */
export const readPages = (
  { collector, parsing }: GatherContext,
  urls: ReadonlyArray<string>
): Effect.Effect<PageSearch> =>
  Effect.map(
    Effect.forEach(
      urls,
      Effect.fnUntraced(function* (url) {
        const exchange = yield* collector.get(url)
        return { exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null }
      }),
      { concurrency: "unbounded" }
    ),
    (visits) => ({ pages: visits.flatMap(({ page }) => page ?? []), missing: missingAmong(visits) })
  )

/** The pages whose keys are not known, each once; a copy of the base page is the base page. */
export const newPages = (
  pages: ReadonlyArray<Page>,
  known: ReadonlySet<string>,
  keyOf: (url: string) => string,
  base: Base
): ReadonlyArray<Page> => {
  const seen = new Set(known)
  return pages.filter((page) => {
    const key = keyOf(page.url)
    const isNew = !seen.has(key) && page.format !== "other" && !page.saysNotFound && !isCopyOfBase(page, base)
    seen.add(key)
    return isNew
  })
}

/** Sitemap files and pages beyond the sample together: the more of the files a site has, the fewer of the pages are read. */
const FILES_AND_PAGES = 51

const MOST_PAGES = 50
const LEAST_PAGES = 4
const MOST_REFERENCE_PAGES = 10

/** How many pages beyond the sample may be fetched: for D1 and D2, and for the rest of category D. */
export const pagesBeyond = ({
  files
}: Pick<Sitemaps, "files">): { readonly reference: number; readonly topics: number } => {
  const pages = Math.max(LEAST_PAGES, Math.min(MOST_PAGES, FILES_AND_PAGES - files.length))
  const reference = Math.min(MOST_REFERENCE_PAGES, Math.floor(pages / 2))
  return { reference, topics: pages - reference }
}
