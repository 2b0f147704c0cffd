import { plainText } from "../../../engine/audit/PlainText.ts"
import type { SiteSummary } from "../../../engine/store/RunStore.ts"
import { counted } from "../charts/Figures.ts"
import { html, type VNode } from "../kit/Html.ts"
import { browseShell, LONGEST_TITLE, searchForm } from "./BrowseShell.ts"
import { pathWith } from "./PageQuery.ts"
import { siteTable } from "./SiteTable.ts"

/** Hits that a search tells of; the newest come first. */
export const SEARCH_HITS = 20

/**
 * Looks for sites whose address contains a text. With a script, hits come while the text is typed: it fills the table's
 * body by copying the row of the template.
 */
export const searchPage = (text: string, hits: ReadonlyArray<SiteSummary>): VNode =>
  browseShell({
    title: text === "" ? "Search audited sites" : plainText(`Search: ${text}`, LONGEST_TITLE),
    heading: "Search audited sites",
    description: "Find audited documentation sites by a part of their address.",
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
      <p data-search-none hidden=${text === "" || hits.length > 0}><a href="/">Audit a site</a> that is not here yet.</p>
      <template id="hit">${siteTableRow}</template>`
  })

/** What a search came to, in words; the script says the same. */
const statusOf = (text: string, hits: ReadonlyArray<SiteSummary>): string => {
  if (text === "") return "Type a part of an address: a host, a name, a path."
  if (hits.length === 0) return `No audited site has “${plainText(text, 60)}” in its address.`
  return hits.length === SEARCH_HITS ? `The ${SEARCH_HITS} sites that were audited last; type more to narrow it down.` : `${counted(hits.length, "site")}.`
}

/** A row of the table as `siteTable` makes it, with the places of its figures marked. */
const siteTableRow = html`
  <tr>
    <th scope="row"><a data-hit="site"></a></th>
    <td class="number">
      <span class="score-cell">
        <svg class="score-bar" width="72" height="6" aria-hidden="true" focusable="false">
          <rect class="plot-track" width="100%" height="6" rx="3"/>
          <rect class="plot-bar" data-hit="bar" width="0%" height="6" rx="3"/>
        </svg>
        <span class="score-number" data-hit="score"></span>
      </span>
    </td>
    <td class="number roomy" data-hit="runs"></td>
    <td class="number roomy"><time data-hit="latest"></time></td>
  </tr>`
