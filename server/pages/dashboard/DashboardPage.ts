import { plainText } from "../../../engine/text/PlainText.ts"
import type { Bucket, DashboardBody, Widget } from "../../api/DashboardBody.ts"
import { browseShell, choices, LONGEST_TITLE } from "../browse/BrowseShell.ts"
import { minute } from "../kit/Moments.ts"
import { pathWith } from "../kit/PageQuery.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteAuditTable } from "./SiteAuditTable.ts"
import { widgetView } from "./WidgetView.ts"

export const BUCKETS = ["90d", "30d", "12m"] as const satisfies ReadonlyArray<Bucket>

const SPANS: ReadonlyArray<readonly [bucket: Bucket, text: string]> = [
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["12m", "12 months"]
]

/** The path of a dashboard. */
export const dashboardPath = (slug: string): string => `/dashboard/${encodeURIComponent(slug)}`

/** A dashboard with its figures. */
export const dashboardPage = ({ bucket, generated_at, sites = [], slug, title, widgets }: DashboardBody): VNode => {
  const wide = wideWidgets(widgets.map(({ kind }) => kind))
  return browseShell({
    title: plainText(title, LONGEST_TITLE),
    heading: plainText(title),
    description: `Figures of the dashboard ${plainText(title, 100)}.`,
    path: dashboardPath(slug),
    robots: "noindex",
    json: pathWith("/api/public/dashboard", { slug, bucket }),
    content: html`
      <p class="soft">Figures of ${minute(generated_at)} UTC. <a href="/dashboard">All dashboards</a></p>
      <div class="choices-bar">
        ${choices({ label: "Time range", choices: SPANS.map(([each, text]) => ({ text, href: pathWith(dashboardPath(slug), { bucket: each }), chosen: each === bucket })) })}
      </div>
      ${widgets.length === 0 ? html`<div class="empty"><p>This dashboard has no widgets yet.</p></div>` : null}
      ${
        widgets.length + sites.length === 0
          ? null
          : html`
        <div class="widgets">
          ${widgets.map((widget, index) => widgetView(widget, `widget-${index + 1}`, wide[index] ?? false))}
          ${sites.length === 0 ? null : siteAuditTable(sites, generated_at)}
        </div>`
      }`
  })
}

/** Shown until the figures are computed: the browser reloads it. */
export const warmingPage = (slug: string): VNode =>
  layout({
    title: "One moment",
    path: dashboardPath(slug),
    robots: "noindex",
    content: html`
      <div class="notice-page">
        <h1>One moment</h1>
        <p class="lead" role="status">The figures of this dashboard are being computed. This page reloads automatically.</p>
        <p><a href=${dashboardPath(slug)}>Reload now</a></p>
      </div>`
  })

/** Widgets that need the whole width of the page. */
const WIDE: ReadonlySet<Widget["kind"]> = new Set(["category_comparison", "site_trend", "corpus"])

/**
 * Which widgets take the whole width: those that need it, and the last of an odd number of others in a row, because beside it there
 * would be a hole.
 */
const wideWidgets = (kinds: ReadonlyArray<Widget["kind"]>): ReadonlyArray<boolean> => {
  const wide: Array<boolean> = []
  let narrow = 0
  for (const [index, kind] of kinds.entries()) {
    narrow = WIDE.has(kind) ? 0 : narrow + 1
    const next = kinds[index + 1]
    wide.push(WIDE.has(kind) || (narrow % 2 === 1 && (next === undefined || WIDE.has(next))))
  }
  return wide
}
