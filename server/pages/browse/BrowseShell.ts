import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { CachedResponse, type ResponseCache } from "../../response/ResponseCache.ts"
import type { AssetName } from "../kit/Assets.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, preview } from "../kit/Layout.ts"

interface BrowseShellProps {
  /** The URL of the service, for previews; left out of pages that are not shared. */
  readonly base?: string
  /** The document's title, and its heading unless `heading` is given; at most `LONGEST_TITLE` characters. */
  readonly title: string
  readonly heading?: Content
  readonly description: string
  /** The page's path; with its query where that names another page. */
  readonly path: string
  readonly content: Content
  /** Under the heading. */
  readonly lead?: Content
  readonly scripts?: ReadonlyArray<AssetName>
  /** The same data as JSON, if the contract has it. */
  readonly json?: string
  /** The path of an Atom feed of what the page shows. */
  readonly feed?: string
  readonly robots?: "index" | "noindex"
}

/** Longer titles are never shown in full; the name of the service follows. */
export const LONGEST_TITLE = 56

const PARTS: ReadonlyArray<readonly [path: string, text: string]> = [
  ["/browse", "Overview"],
  ["/browse/top", "Leaderboards"],
  ["/browse/search", "Search"],
  ["/browse/stats", "Statistics"],
  ["/dashboard", "Dashboards"]
]

/** A page about the corpus: its heading and links to the others. */
export const browseShell = ({
  base,
  content,
  description,
  feed,
  heading,
  json,
  lead,
  path,
  robots = "index",
  scripts = [],
  title
}: BrowseShellProps): VNode =>
  layout({
    title,
    description,
    path,
    robots,
    scripts,
    styles: ["browse.css"],
    wide: true,
    head: [
      base === undefined ? null : preview({ base, description, title, type: "WebPage", url: `${base}${path}` }),
      json === undefined ? null : html`<link rel="alternate" type="application/json" href=${json}/>`,
      feed === undefined ? null : html`<link rel="alternate" type="application/atom+xml" href=${feed}/>`
    ],
    content: html`
      <nav class="parts" aria-label="Browse">
        <ul>${PARTS.map(([to, text]) => html`<li><a href=${to} aria-current=${currentIn(path, to)}>${text}</a></li>`)}</ul>
      </nav>
      <h1>${heading ?? title}</h1>
      ${lead === undefined ? null : html`<p class="lead">${lead}</p>`}
      ${content}`
  })

/** A dashboard is within the dashboards, while every page here is below the overview. */
const currentIn = (path: string, part: string): "page" | "true" | undefined =>
  path === part ? "page" : part !== "/browse" && path.startsWith(`${part}/`) ? "true" : undefined

interface ChoicesProps {
  /** The accessible name of the group of links. */
  readonly label: string
  readonly choices: ReadonlyArray<{ readonly text: string; readonly href: string; readonly chosen: boolean }>
}

/** Views of a page, one of which is current. */
export const choices = ({ choices: all, label }: ChoicesProps): VNode => html`
  <nav class="choices" aria-label=${label}>
    <ul>${all.map(({ chosen, href, text }) => html`<li><a href=${href} aria-current=${chosen ? "true" : undefined}>${text}</a></li>`)}</ul>
  </nav>`

interface SearchFormProps {
  readonly value?: string
}

/** The search form; it works without a script, too. */
export const searchForm = ({ value = "" }: SearchFormProps = {}): VNode => html`
  <form class="search" role="search" action="/browse/search" method="get">
    <label for="q">Search by URL</label>
    <div class="field-row">
      <input id="q" name="q" type="search" value=${value} maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="docs.example.com"/>
      <button class="button" type="submit">Search</button>
    </div>
  </form>`

export const nothingYet = html`
  <div class="empty">
    <p>Nothing has been audited yet.</p>
    <p><a class="button" href="/">Audit the first site</a></p>
  </div>`

/** A page to cache, or a response that is not cached, such as an error. */
export type RecentPage = CachedResponse | HttpServerResponse

/** Long enough that popular pages read the store once a second, and short enough that readers do not notice an old one. */
const TIME_TO_LIVE = "1 second"

/** Serves a page from the cache, or renders it; the key is the whole URL. */
export const makeRecentPages =
  (responses: ResponseCache["Service"]) =>
  <E>(request: HttpServerRequest, make: Effect.Effect<RecentPage, E>): Effect.Effect<HttpServerResponse, E> =>
    Effect.flatMap(responses.get(`recent ${request.url}`, CachedResponse, make, TIME_TO_LIVE), (seen) =>
      seen instanceof CachedResponse ? seen.to(request) : Effect.succeed(seen)
    )
