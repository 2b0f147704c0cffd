import type { CriterionResult } from "../../audit/Report.ts"
import type { Page } from "../../page/Page.ts"
import { judgeMarkdown } from "../../site/markdown/JudgedMarkdown.ts"
import { markdownUrlOf } from "../site/MarkdownForms.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { type FixOptions, wishOf } from "../write/Wish.ts"
import { isThere, type PlaceState } from "./Places.ts"

/** The Markdown versions among what the site has where versions would be written: each is its page's, as the audit would judge it. */
export const versionsThere = (
  site: PublishedSite,
  more: ReadonlyArray<Page>,
  criteria: ReadonlyArray<CriterionResult>,
  options: FixOptions,
  places: ReadonlyMap<string, PlaceState>
): PublishedSite["markdownVersions"]["pages"] => {
  const { forms } = wishOf(site, criteria, options)
  return [...site.sample.pages, ...more].flatMap((page) => {
    const url = markdownUrlOf(forms, page.url)
    const place = url === null ? undefined : places.get(url)
    if (url === null || place === undefined || !isThere(place)) return []
    const { document, text } = judgeMarkdown(page, site.notFoundProbe, place.answer)
    return document === null
      ? []
      : [
          {
            page,
            version: { url, how: "declared" as const, answer: place.answer, text, document: () => document },
            attempts: []
          }
        ]
  })
}
