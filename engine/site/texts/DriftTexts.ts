import { isSubstantive, type Page } from "../../page/Page.ts"
import { type Article, articleOfMarkdown, articleOfPage, articlesOfAggregate } from "./Article.ts"
import type { MarkdownVersions } from "../markdown/MarkdownVersions.ts"
import type { FullText } from "../wellknown/FullText.ts"

/** A text in which calls, tables and figures are looked for. */
export interface DriftText extends Article {
  /** The page that it is the text of; `null` for Markdown versions and full texts, which mostly repeat pages. */
  readonly page: Page | null
}

/** Pages first, each once; then their Markdown versions, and full texts. */
export const driftTexts = (
  pages: ReadonlyArray<Page>,
  { pages: versioned }: Pick<MarkdownVersions, "pages">,
  { files }: Pick<FullText, "files">
): ReadonlyArray<DriftText> => {
  const byUrl = new Map(pages.filter(isSubstantive).map((page) => [page.url, page]))
  const versions = versioned.flatMap(({ version }) =>
    version === null || version.how === "self"
      ? []
      : [articleOfMarkdown("page", version.url, version.answer, version.text)]
  )
  return [
    ...[...byUrl.values()].map((page): DriftText => ({ ...articleOfPage(page), page })),
    ...[...versions, ...files.flatMap(articlesOfAggregate)].map((article): DriftText => ({ ...article, page: null }))
  ]
}
