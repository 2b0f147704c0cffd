import { plainText } from "../../../engine/text/PlainText.ts"
import type { SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { browseShell, LONGEST_TITLE, searchForm } from "./BrowseShell.ts"
import { pathWith } from "../kit/PageQuery.ts"
import { siteTable } from "./SiteTable.ts"

/** Maximum number of results; the newest come first. */
export const SEARCH_HITS = 20

/**
 * Searches for sites whose URL contains a text. A script shows results while the text is typed: it asks for this page again, and
 * takes the status and the hits from it.
 */
export const searchPage = (base: string, text: string, hits: ReadonlyArray<SiteSummary>): VNode =>
  browseShell({
    base,
    title: text === "" ? "Search audited sites" : plainText(`Search: ${text}`, LONGEST_TITLE),
    heading: "Search audited sites",
    description: "Find audited documentation sites by part of their URL.",
    path: "/browse/search",
    robots: text === "" ? "index" : "noindex",
    scripts: ["search.js"],
    json: pathWith("/api/public/browse/search", text === "" ? {} : { q: text }),
    content: html`
      ${searchForm({ value: plainText(text, 2_048) })}
      <p class="search-status" role="status" data-search-status>${statusOf(text, hits)}</p>
      <div data-search-hits>${found(text, hits)}</div>`
  })

const found = (text: string, hits: ReadonlyArray<SiteSummary>): Content => {
  if (hits.length > 0)
    return siteTable({ caption: "Sites, most recently audited first", sites: hits, shown: "averageScore" })
  return text === "" ? null : html`<p><a href="/">Audit a site</a> that is not listed yet.</p>`
}

/** The number of results in words. */
const statusOf = (text: string, hits: ReadonlyArray<SiteSummary>): string => {
  if (text === "") return "Type part of a URL, such as a host or a path."
  if (hits.length === 0) return `No audited site has “${plainText(text, 60)}” in its URL.`
  return hits.length === SEARCH_HITS
    ? `The ${SEARCH_HITS} most recently audited matches; type more to narrow the search.`
    : `${counted(hits.length, "site")}.`
}
