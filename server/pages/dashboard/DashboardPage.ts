import { plainText } from "../../../engine/audit/PlainText.ts"
import type { Bucket, Dashboard } from "../../api/Dashboards.ts"
import { choices } from "../browse/BrowseShell.ts"
import { minute } from "../browse/Moments.ts"
import { pathWith } from "../browse/PageQuery.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { widgetView } from "./WidgetView.ts"

export const BUCKETS = ["90d", "30d", "12m"] as const satisfies ReadonlyArray<Bucket>

const SPANS: ReadonlyArray<readonly [bucket: Bucket, text: string]> = [["30d", "30 days"], ["90d", "90 days"], ["12m", "12 months"]]

/** Where a dashboard is to be seen. */
export const dashboardPath = (slug: string): string => `/dashboard/${encodeURIComponent(slug)}`

/** What an operator put together, with its figures. */
export const dashboardPage = ({ bucket, generated_at, slug, title, widgets }: Dashboard): VNode =>
  layout({
    title: plainText(title),
    path: dashboardPath(slug),
    robots: "noindex",
    wide: true,
    styles: ["browse.css"],
    head: html`<link rel="alternate" type="application/json" href=${pathWith("/api/public/dashboard", { slug, bucket })}/>`,
    content: html`
      <h1>${plainText(title)}</h1>
      <p class="soft">Figures of ${minute(generated_at)} UTC.</p>
      <div class="choices-bar">
        ${choices({ label: "Span of time", choices: SPANS.map(([each, text]) => ({ text, href: pathWith(dashboardPath(slug), { bucket: each }), chosen: each === bucket })) })}
      </div>
      ${widgets.length === 0 ? html`<div class="empty"><p>This dashboard has no widgets yet.</p></div>` : html`
        <div class="widgets">${widgets.map((widget, index) => widgetView(widget, `widget-${index + 1}`))}</div>`}`
  })

/** Until the figures are there: the browser asks again by itself. */
export const warmingPage = (slug: string): VNode =>
  layout({
    title: "One moment",
    path: dashboardPath(slug),
    robots: "noindex",
    content: html`
      <div class="notice-page">
        <h1>One moment</h1>
        <p class="lead" role="status">The figures of this dashboard are being put together. This page looks again by itself.</p>
        <p><a href=${dashboardPath(slug)}>Look again now</a></p>
      </div>`
  })
