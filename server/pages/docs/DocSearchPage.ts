import { counted } from "../../../engine/criterion/Wording.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { docSearchForm, navigation } from "./DocPage.ts"
import type { DocsBook } from "./DocsBook.ts"
import { excerptOf, MOST_HITS, type SearchSection } from "./DocSearch.ts"

export interface DocSearchView {
  /** What was asked for, shown in the field again. */
  readonly question: string
  readonly words: ReadonlyArray<string>
  readonly hits: ReadonlyArray<SearchSection>
}

/** What the documentation says about some words: a page, so that it needs no script. */
export const docSearchPage = ({ hits, question, words }: DocSearchView, book: DocsBook): VNode =>
  layout({
    title: "Search · Documentation",
    description: "Search the documentation of docgauge.",
    path: "/docs",
    robots: "noindex",
    wide: true,
    styles: ["docs.css"],
    content: html`<div class="docs">
      <article class="docs-page">
        <h1>Search</h1>
        ${docSearchForm(book, "q", question)}
        ${found({ hits, question, words })}
      </article>
      ${navigation(null, book)}
    </div>`
  })

const found = ({ hits, question, words }: DocSearchView): Content => {
  if (words.length === 0) return html`<p class="soft">Enter a word, such as a field, a header or an error code.</p>`
  if (hits.length === 0)
    return html`<p>Nothing found for “${plainText(question, 60)}”. Try fewer words or another one.</p>`
  return html`
    <p class="soft" role="status">${hits.length === MOST_HITS ? `The ${MOST_HITS} best sections` : counted(hits.length, "section")} for “${plainText(question, 60)}”.</p>
    <ol class="docs-hits">${hits.map(
      (hit) => html`
      <li><a href=${hit.path}>${hit.heading === "" ? hit.page : `${hit.page}: ${hit.heading}`}</a><p>${excerptOf(hit, words)}</p></li>`
    )}
    </ol>`
}
