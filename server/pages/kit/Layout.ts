import { type AssetName, assetPath } from "./Assets.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"

interface LayoutOptions {
  /** The document's title, before the name of the service. */
  readonly title: string
  /** One sentence for search results and previews. */
  readonly description?: string
  /** The page's path, by which its navigation entry is marked. */
  readonly path: string
  readonly content: Content
  /** For pages with tables and charts; text stays in a column of 68 characters. */
  readonly wide?: boolean
  readonly styles?: ReadonlyArray<AssetName>
  /** JavaScript modules. */
  readonly scripts?: ReadonlyArray<AssetName>
  /** `index` by default. */
  readonly robots?: "index" | "noindex"
  /** More elements of the head: alternates, Open Graph. */
  readonly head?: Content
}

/**
 * The document around a page's content: the same head, header and footer everywhere. Rendering is blocked until the whole page
 * has arrived, which avoids layout shifts and costs no time, because a page of this size arrives before the style sheets.
 * Referrers stay within the origin: under `no-referrer`, which other responses have, browsers would send `Origin: null` with our
 * own forms, as with those of foreign pages (Fetch Standard, Origin header).
 */
export const layout = ({
  content,
  description,
  head = null,
  path,
  robots = "index",
  scripts = [],
  styles = [],
  title,
  wide = false
}: LayoutOptions): VNode => html`
  <html lang="en">
    <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="same-origin"/>
      <title>${title === NAME ? NAME : `${title} · ${NAME}`}</title>
      ${description === undefined ? null : html`<meta name="description" content=${description}/>`}
      ${robots === "noindex" ? html`<meta name="robots" content="noindex"/>` : null}
      <link rel="describedby" href="/llms.txt" type="text/markdown"/>
      <link rel="icon" href="/favicon.ico" sizes="32x32"/>
      <link rel="icon" href=${assetPath("mark.svg")} type="image/svg+xml"/>
      ${["base.css" as const, ...styles].map((name) => html`<link rel="stylesheet" href=${assetPath(name)}/>`)}
      ${FONTS.map((name) => html`<link rel="preload" href=${assetPath(name)} as="font" type="font/woff2" crossorigin="anonymous"/>`)}
      <script src=${assetPath("theme.js")}></script>
      ${scripts.map((name) => html`<script type="module" src=${assetPath(name)}></script>`)}
      <link rel="expect" href=${`#${END}`} blocking="render"/>
      ${head}
    </head>
    <body>
      <a class="skip-link" href="#main">Skip to content</a>
      ${header(path)}
      <main id="main" class=${wide ? "page page-wide" : "page"}>${content}</main>
      ${footer}
      <div id=${END} hidden/>
    </body>
  </html>`

/** Preloaded, so that a font that comes in time is there at the first paint; one that comes later is not used on this page. */
const FONTS = ["inter-400.woff2", "inter-600.woff2"] as const

/** The name of the service on its pages. */
const NAME = "docgauge"

/** The id of the last element, which rendering waits for. */
const END = "end"

const ENTRIES: ReadonlyArray<readonly [path: string, text: string]> = [
  ["/", "Audit"],
  ["/browse", "Browse"],
  ["/rubric", "Rubric"],
  ["/docs", "Docs"]
]

/** Pages that are below an entry, but not in its path. */
const BELOW: Readonly<Record<string, string>> = { "/browse": "/dashboard" }

const isAt = (path: string, entry: string): boolean => path === entry || path.startsWith(`${entry}/`)

const isWithin = (path: string, entry: string): boolean =>
  entry !== "/" && (isAt(path, entry) || isAt(path, BELOW[entry] ?? entry))

const header = (path: string): VNode => html`
  <header class="site-header">
    <div class="site-bar">
      <a class="brand" href="/" translate="no">${mark}${NAME}</a>
      <nav class="site-nav" aria-label="Main">
        <ul>${ENTRIES.map(
          ([entry, text]) =>
            html`<li><a href=${entry} aria-current=${path === entry ? "page" : isWithin(path, entry) ? "true" : undefined}>${text}</a></li>`
        )}
        </ul>
      </nav>
      <button class="theme-switch needs-script" type="button" data-theme-switch>
        <span class="theme-icon" aria-hidden="true"></span>
        <span class="visually-hidden" data-theme-label>Switch theme</span>
      </button>
    </div>
  </header>`

const footer: VNode = html`
  <footer class="site-footer">
    <div class="site-bar">
      <p>How well can an AI agent find, read, call and act on a documentation site?</p>
      <nav aria-label="More">
        <ul>
          <li><a href="/docs">Docs</a></li>
          <li><a href="/rubric">Rubric</a></li>
          <li><a href="/openapi.json">API</a></li>
          <li><a href="/llms.txt">For agents</a></li>
          <li><a href="/bot">Our bot</a></li>
        </ul>
      </nav>
    </div>
  </footer>`

/** Our mark, in its own colours on any page; decorative, because the name is beside it. */
const mark: VNode = html`<img class="mark" src=${assetPath("mark.svg")} alt="" width="26" height="26"/>`

/** The metadata of a page for search engines, previews and agents. */
interface PageMetadata {
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  /** The canonical URL. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** `TechArticle` by default. */
  readonly type?: "TechArticle" | "WebPage"
  /** `YYYY-MM-DD`; omitted if unknown. */
  readonly changed?: string | undefined
  /** Pages above this one, from the top. */
  readonly above: ReadonlyArray<{ readonly title: string; readonly url: string }>
}

/** What previews of a page show. */
interface Preview extends Pick<PageMetadata, "base" | "description" | "title" | "type" | "url"> {
  /** The page's own image, 1200 by 630 pixels; our card by default. */
  readonly image?: { readonly url: string; readonly alt: string }
}

/** Open Graph of a page. */
export const preview = ({
  base,
  description,
  image = { url: `${base}${assetPath("card.png")}`, alt: "docgauge: how well can an AI agent use your documentation?" },
  title,
  type,
  url
}: Preview): Content => [
  html`<meta property="og:type" content=${type === "WebPage" ? "website" : "article"}/>`,
  html`<meta property="og:site_name" content=${NAME}/>`,
  html`<meta property="og:title" content=${title}/>`,
  html`<meta property="og:description" content=${description}/>`,
  html`<meta property="og:url" content=${url}/>`,
  html`<meta property="og:image" content=${image.url}/>`,
  html`<meta property="og:image:type" content="image/png"/>`,
  html`<meta property="og:image:width" content="1200"/>`,
  html`<meta property="og:image:height" content="630"/>`,
  html`<meta property="og:image:alt" content=${image.alt}/>`,
  html`<meta name="twitter:card" content="summary_large_image"/>`
]

/** Canonical URL, Open Graph and JSON-LD (schema.org) of a page of our own documentation. */
export const pageMetadata = (page: PageMetadata): Content => [
  html`<link rel="canonical" href=${page.url}/>`,
  preview(page),
  html`<script type="application/ld+json" dangerouslySetInnerHTML=${{ __html: linkedData(page) }}/>`
]

/** A data block, which the Content-Security-Policy permits because it is not executed. */
const linkedData = ({ above, base, changed, description, title, type = "TechArticle", url }: PageMetadata): string => {
  const service = { "@type": "Organization", name: NAME, url: `${base}/` }
  const graph = [
    {
      "@type": type,
      headline: title,
      description,
      url,
      inLanguage: "en",
      ...(changed === undefined ? {} : { dateModified: changed }),
      author: service,
      publisher: service,
      isPartOf: { "@type": "WebSite", name: NAME, url: `${base}/` }
    },
    {
      "@type": "BreadcrumbList",
      itemListElement: [...above, { title, url }].map((item, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: item.title,
        item: item.url
      }))
    }
  ]
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c")
}
