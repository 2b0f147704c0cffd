import * as Effect from "effect/Effect"
import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { Page } from "../../page/Page.ts"
import type { Base, GatherContext } from "../base/GatherContext.ts"
import { isCopyOfBase, missingAmong } from "../sample/Sample.ts"

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
