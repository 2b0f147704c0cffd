import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { Limits } from "../../../engine/limit/Limits.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { type JudgedRun, RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import {
  changesSince,
  type Compares,
  type EarnedChange,
  type RunChanges,
  runComparison
} from "../../audits/RunChanges.ts"
import { ReleasedRubrics } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { makeRecentPages, type RecentPage } from "../browse/BrowseShell.ts"
import { noticeResponse, rateLimitedPage } from "../kit/NoticePage.ts"
import { dashboardFeedPath, dashboardPath, queryOf, siteFeedPath, sitePath } from "../kit/PageQuery.ts"
import { counted, scoreWords } from "../../../engine/plugin/Wording.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"

/** Entries of a feed: a site that is audited each day is followed by a reader that comes once in three weeks. */
const ENTRIES = 25

/** Audits of each site of a dashboard: it tells of many sites, of each what is new. */
const OF_EACH_SITE = 3

/** Sites that are read at once. */
const READS = 3

/** GET /browse/site.atom?site=… and /dashboard/{slug}/feed.atom: finished audits, newest first. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [corpus, dashboards, history] = [yield* Corpus, yield* Dashboards, yield* RunHistory]
    const recent = makeRecentPages(yield* ResponseCache)
    const [clients, limits] = [yield* Clients, yield* Limits]
    const { base } = yield* addresses
    const { compares, titles } = yield* runComparison

    /** The newest audits of a site. One more is read, to tell what changed. */
    const entriesOf = Effect.fnUntraced(function* (site: string, most: number) {
      const judged = yield* history.judged(site, most + 1)
      return feedEntries(judged, judged.length > most ? 1 : 0, yield* compares, titles)
    })

    const ofSite = Effect.fnUntraced(function* (site: string): Effect.fn.Return<RecentPage, StoreUnavailable> {
      const entries = yield* entriesOf(site, ENTRIES)
      if (entries.length === 0) return noSuchSite
      const title = `Audits of ${shownName(site).text}`
      return answered(atomFeed({ base, title, path: siteFeedPath(site), page: sitePath(site), entries }))
    })

    const ofDashboard = Effect.fnUntraced(function* (slug: string): Effect.fn.Return<RecentPage, StoreUnavailable> {
      const dashboard = (yield* dashboards.list).find((each) => each.slug === slug)
      if (dashboard === undefined) return noSuchDashboard
      const sites =
        dashboard.sites.length > 0 ? dashboard.sites : (yield* corpus.recent(ENTRIES)).map(({ site }) => site)
      const entries = yield* Effect.forEach(sites, (site) => entriesOf(site, OF_EACH_SITE), { concurrency: READS })
      return answered(
        atomFeed({
          base,
          title: dashboard.title,
          path: dashboardFeedPath(slug),
          page: dashboardPath(slug),
          entries: entries
            .flat()
            .toSorted((one, other) => (momentOf(one.run) < momentOf(other.run) ? 1 : -1))
            .slice(0, ENTRIES)
        })
      )
    })

    yield* router.add(
      "GET",
      "/browse/site.atom",
      Effect.flatMap(HttpServerRequest, (request) => {
        const site = queryOf(request).get("site") ?? ""
        return rateLimitedPage(clients, limits.browse)(request, recent(request, ofSite(site)))
      })
    )

    yield* router.add(
      "GET",
      "/dashboard/:slug/feed.atom",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { slug = "" } = yield* HttpRouter.params
        return yield* rateLimitedPage(clients, limits.poll)(request, recent(request, ofDashboard(slug)))
      })
    )
  })
)

export const feedRoutes = routes.pipe(Layer.provide(ReleasedRubrics.layerOf()))

const answered = (feed: string): CachedResponse =>
  new CachedResponse(feed, {
    type: "application/atom+xml; charset=utf-8",
    status: 200,
    headers: { "cache-control": "no-cache" }
  })

const noSuchSite = noticeResponse(404, {
  title: "No feed of this site",
  text: "No audit of it has finished here, or its name is spelled differently: a feed is linked from the page of its site."
})

const noSuchDashboard = noticeResponse(404, {
  title: "No feed of this dashboard",
  text: "There is no such dashboard, or it is not public."
})

/** A finished audit, as a feed tells of it. */
interface FeedEntry {
  readonly run: Run
  readonly title: string
  readonly text: string
}

/** What an Atom feed is made from. */
interface FeedContent {
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  readonly title: string
  /** The path of the feed, with its query. */
  readonly path: string
  /** The path of the page that has the same audits. */
  readonly page: string
  /** Newest first. */
  readonly entries: ReadonlyArray<FeedEntry>
}

/**
 * An entry for each audit but the oldest `spare`, newest first: its score, the change, and the criteria that earn more or less.
 * `judged`: consecutive audits of a site, newest first; `compares` says of two whether their scores compare; `titles`: criteria by id.
 */
export const feedEntries = (
  judged: ReadonlyArray<JudgedRun>,
  spare: number,
  compares: Compares,
  titles: ReadonlyMap<string, string>
): ReadonlyArray<FeedEntry> =>
  judged.slice(0, judged.length - spare).map((now, index) => {
    const before = judged[index + 1]
    const changes = changesSince(now, before, compares)
    return {
      run: now.run,
      title: `${shownName(now.run.site).text}: ${scoreWords(now.run.totalScore ?? 0, now.run.reliable === true)} of 100${changeText(changes)}`,
      text: explained(now, before, changes, titles)
    }
  })

/** Empty where the scores do not compare. */
const changeText = ({ delta }: RunChanges): string => {
  if (delta === null) return ""
  return delta === 0 ? ", as before" : `, ${Math.abs(delta)} ${delta < 0 ? "less" : "more"} than before`
}

const explained = (
  now: JudgedRun,
  before: JudgedRun | undefined,
  changes: RunChanges,
  titles: ReadonlyMap<string, string>
): string => {
  if (before === undefined) return "The first audit of this site here."
  if (changes.before === null) return "Another rubric judged the audit before, so the scores do not compare."
  const lines = [
    ...(now.run.reliable === true ? [] : ["This report is not reliable: too much could not be checked."]),
    ...changes.lost.map((change) => `Lost: ${changed(change, titles)}`),
    ...changes.gained.map((change) => `Gained: ${changed(change, titles)}`)
  ]
  return lines.length === 0 ? "No criterion earns more or less than before." : lines.join("\n")
}

const changed = ({ from, to }: EarnedChange, titles: ReadonlyMap<string, string>): string => {
  const title = titles.get(to.id)
  return `${to.id}${title === undefined ? "" : ` ${title}`} (${to.score} of ${counted(to.max, "point")}, ${from.score} before)`
}

/** When an audit finished, or else was accepted. */
const momentOf = ({ finishedAt, startedAt }: Run): string => finishedAt ?? startedAt

/** The feed as RFC 4287 has it. Of no audits it has the beginning of time as its date, which an Atom feed must have. */
export const atomFeed = ({ base, entries, page, path, title }: FeedContent): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element("id", `${base}${path}`),
    element("title", title),
    element("updated", entries.map(({ run }) => momentOf(run)).reduce(later, "1970-01-01T00:00:00Z")),
    `<author>${element("name", "docgauge")}${element("uri", base)}</author>`,
    link("self", "application/atom+xml", `${base}${path}`),
    link("alternate", "text/html", `${base}${page}`),
    ...entries.map((entry) => atomEntry(base, entry)),
    "</feed>",
    ""
  ].join("\n")

const later = (one: string, other: string): string => (other > one ? other : one)

const atomEntry = (base: string, { run, text, title }: FeedEntry): string =>
  [
    "<entry>",
    element("id", `urn:uuid:${run.id}`),
    element("title", title),
    element("updated", momentOf(run)),
    link("alternate", "text/html", `${base}/r/${run.id}`),
    `<content type="text">${escapeMarkup(text)}</content>`,
    "</entry>"
  ].join("\n")

const element = (name: string, text: string): string => `<${name}>${escapeMarkup(plainText(text, 2_500))}</${name}>`

const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`
