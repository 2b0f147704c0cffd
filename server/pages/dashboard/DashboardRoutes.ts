import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { counted, firstNamed } from "../../../engine/plugin/Wording.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import type { Bucket, DashboardBody, DashboardSite, Widget } from "../../api/DashboardBody.ts"
import type { Forbidden, NotFound } from "../../api/Errors.ts"
import { addresses } from "../../config/Settings.ts"
import { Dashboards, type ListedDashboard } from "../../dashboards/Dashboards.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { digestOf } from "../../response/EncodedBody.ts"
import { browseShell, choices, LONGEST_TITLE, makeRecentPages, type RecentPage } from "../browse/BrowseShell.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout } from "../kit/Layout.ts"
import { columns, day, minute } from "../../../engine/report/html/Parts.ts"
import { noticeResponse, rateLimitedPage } from "../kit/NoticePage.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { dashboardFeedPath, dashboardPath, pathWith, queryOf, wordOf } from "../kit/PageQuery.ts"
import { siteLink, widgetView } from "./WidgetView.ts"

/** Computing the figures takes a moment; the page reloads itself, with its query. */
const WARMING = { "retry-after": "2", refresh: "2" }

/** Sites that are named below a dashboard's title. */
const NAMED = 3

/** The public dashboards, each with its first sites. */
const dashboardListPage = (base: string, dashboards: ReadonlyArray<ListedDashboard>): VNode =>
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

const namedSites = (sites: ReadonlyArray<string>): string =>
  firstNamed(
    sites.map((site) => shownName(site, 40).text),
    NAMED
  )

const BUCKETS = ["90d", "30d", "12m"] as const satisfies ReadonlyArray<Bucket>

const SPANS: ReadonlyArray<readonly [bucket: Bucket, text: string]> = [
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["12m", "12 months"]
]

const dashboardPage = ({ bucket, generated_at, sites = [], slug, title, widgets }: DashboardBody): VNode => {
  const wide = wideWidgets(widgets.map(({ kind }) => kind))
  return browseShell({
    title: plainText(title, LONGEST_TITLE),
    heading: plainText(title),
    description: `Figures of the dashboard ${plainText(title, 100)}.`,
    path: dashboardPath(slug),
    robots: "noindex",
    json: pathWith("/api/public/dashboard", { slug, bucket }),
    feed: dashboardFeedPath(slug),
    content: html`
      <p class="soft">Figures of ${minute(generated_at)} UTC. <a href=${dashboardFeedPath(slug)}>Follow its audits by feed</a>. <a href="/dashboard">All dashboards</a></p>
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
const warmingPage = (slug: string): VNode =>
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

/** When each site of a dashboard was audited last and is audited next. A time that is over is due. */
const siteAuditTable = (sites: ReadonlyArray<DashboardSite>, generatedAt: string): VNode => html`
  <div class="widget widget-wide">
    <h2 id="audits">Audits</h2>
    <table class="sites">
      <caption>When each site was audited last, and when its next scheduled audit is; times are in UTC</caption>
      ${columns(["rest", "date", "date"], { roomy: 1 })}
      <thead><tr><th scope="col">Site</th><th scope="col" class="number">Next audit</th><th scope="col" class="number roomy">Last audit</th></tr></thead>
      <tbody>${sites.map(
        ({ base_url, latest_run_at, next_audit_at }) => html`
        <tr>
          <th scope="row">${siteLink(base_url)}</th>
          <td class="number">${next_audit_at === null ? html`<span class="soft">not scheduled</span>` : next_audit_at <= generatedAt ? "due now" : minute(next_audit_at)}</td>
          <td class="number roomy">${latest_run_at === null ? "never" : day(latest_run_at)}</td>
        </tr>`
      )}
      </tbody>
    </table>
  </div>`

/** GET /dashboard, the list of the public ones, and /dashboard/{slug}. */
export const dashboardRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const dashboards = yield* Dashboards
    const responses = yield* ResponseCache
    const { base } = yield* addresses
    const limits = yield* Limits
    const limited = rateLimitedPage(yield* Clients, limits.poll)
    const recent = makeRecentPages(responses)

    const show = Effect.fnUntraced(
      function* (
        request: HttpServerRequest,
        slug: string,
        bucket: Bucket
      ): Effect.fn.Return<RecentPage, NotFound | Forbidden | StoreUnavailable> {
        const dashboard = yield* dashboards.read(slug, bucket)
        if (dashboard === null)
          return yield* pageAnswer(request, warmingPage(slug), {
            status: 202,
            cacheControl: "no-store",
            headers: WARMING
          })
        return yield* responses.get(
          `dashboard ${bucket} ${dashboard.generated_at} ${slug}`,
          CachedResponse,
          Effect.sync(() => finishedPage(dashboardPage(dashboard)))
        )
      },
      Effect.catchTags({ NotFound: () => Effect.succeed(unknown), Forbidden: () => Effect.succeed(closed) })
    )

    const list = Effect.flatMap(dashboards.list, (all) =>
      responses.get(
        `dashboards ${digestOf(JSON.stringify(all))}`,
        CachedResponse,
        Effect.sync(() => finishedPage(dashboardListPage(base, all)))
      )
    )

    yield* router.add(
      "GET",
      "/dashboard",
      Effect.flatMap(HttpServerRequest, (request) => limited(request, recent(request, list)))
    )

    yield* router.add(
      "GET",
      "/dashboard/:slug",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { slug = "" } = yield* HttpRouter.params
        const bucket = wordOf(queryOf(request), "bucket", BUCKETS)
        return bucket === null
          ? noSuchSpan(slug)
          : yield* limited(request, recent(request, show(request, slug, bucket)))
      })
    )
  })
)

const unknown: HttpServerResponse = noticeResponse(404, {
  title: "Dashboard not found",
  text: "Check the URL. The dashboard may also have been removed."
})

const closed: HttpServerResponse = noticeResponse(403, {
  title: "This dashboard is not public",
  text: "The operator of this service has not made it public."
})

const noSuchSpan = (slug: string): HttpServerResponse =>
  noticeResponse(400, {
    title: "Unknown time range",
    text: "A dashboard shows the last 30 days, 90 days or 12 months.",
    more: html`<p><a href=${dashboardPath(slug)}>90 days</a></p>`
  })
