import { plainText } from "../../../engine/text/PlainText.ts"
import type { SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { html, type VNode } from "../kit/Html.ts"
import { browseShell, LONGEST_TITLE, searchForm } from "./BrowseShell.ts"
import { pathWith } from "../kit/PageQuery.ts"
import { siteTable } from "./SiteTable.ts"

/** Maximum number of results; the newest come first. */
export const SEARCH_HITS = 20

/**
 * Searches for sites whose URL contains a text. A script shows results while the text is typed, by copying the row of the
 * template.
 */
export const searchPage = (text: string, hits: ReadonlyArray<SiteSummary>): VNode =>
  browseShell({
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
      <div data-search-hits hidden=${hits.length === 0}>
        ${siteTable({ caption: "Sites, most recently audited first", sites: hits, shown: "averageScore", bodyId: "hits" })}
      </div>
      <p data-search-none hidden=${text === "" || hits.length > 0}><a href="/">Audit a site</a> that is not listed yet.</p>
      <template id="hit">${siteTableRow}</template>`
  })

/** The number of results in words; the script shows the same. */
const statusOf = (text: string, hits: ReadonlyArray<SiteSummary>): string => {
  if (text === "") return "Type part of a URL, such as a host or a path."
  if (hits.length === 0) return `No audited site has “${plainText(text, 60)}” in its URL.`
  return hits.length === SEARCH_HITS ? `The ${SEARCH_HITS} most recently audited matches; type more to narrow the search.` : `${counted(hits.length, "site")}.`
}

/** A row of `siteTable` with marked places for its figures. */
const siteTableRow = html`
  <tr>
    <th scope="row"><a data-hit="site"></a></th>
    <td class="number">
      <span class="score-cell">
        <svg class="score-bar" width="72" height="6" aria-hidden="true" focusable="false">
          <rect class="plot-track" width="100%" height="6" rx="3"/>
          <rect class="plot-bar" data-hit="bar" width="0%" height="6" rx="3"/>
        </svg>
        <span class="score-number"><span data-hit="at-least"><span aria-hidden="true">≥ </span><span class="visually-hidden">at least </span></span><span data-hit="score"></span></span>
      </span>
    </td>
    <td class="number roomy" data-hit="runs"></td>
    <td class="number roomy"><time data-hit="latest"></time></td>
  </tr>`
