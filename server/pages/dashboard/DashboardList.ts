import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import type { ListedDashboard } from "../../dashboards/Dashboards.ts"
import { browseShell } from "../browse/BrowseShell.ts"
import { html, type VNode } from "../kit/Html.ts"
import { dashboardPath } from "./DashboardPage.ts"

/** Sites that are named below a dashboard's title. */
const NAMED = 3

/** The public dashboards, each with its first sites. */
export const dashboardListPage = (base: string, dashboards: ReadonlyArray<ListedDashboard>): VNode =>
  browseShell({
    base,
    title: "Dashboards",
    description: "Dashboards of documentation sites that the operator of this service has made public.",
    path: "/dashboard",
    lead: dashboards.length === 0 ? null : "Groups of sites that the operator of this service watches.",
    content:
      dashboards.length === 0
        ? html`<div class="empty"><p>No dashboard is public yet.</p><p><a href="/browse">Browse all audited sites</a></p></div>`
        : html`<ul class="cards plain-list dashboards">${dashboards.map(listed)}</ul>`
  })

const listed = ({ sites, slug, title }: ListedDashboard): VNode => html`
  <li class="card">
    <h2><a href=${dashboardPath(slug)}>${plainText(title)}</a></h2>
    <p class="soft small">${sites.length === 0 ? "All audited sites" : `${counted(sites.length, "site")}: ${namedSites(sites)}`}</p>
  </li>`

const namedSites = (sites: ReadonlyArray<string>): string => {
  const named = sites
    .slice(0, NAMED)
    .map((site) => shownName(site, 40).text)
    .join(", ")
  return sites.length > NAMED ? `${named} and ${sites.length - NAMED} more` : named
}
