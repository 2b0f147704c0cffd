import { onSite, samePage } from "../../evidence/Address.ts"
import { describesPage, isReference, type Page } from "../../page/Page.ts"
import { isMarkdownType } from "../../text/UrlPath.ts"
import { escapeMarkup } from "../../text/MarkupText.ts"
import { readingLength } from "../../text/languages/Language.ts"
import type { WritablePlugin } from "../site/WritablePlugins.ts"
import { LEAST_DESCRIPTION, type SitePage } from "../site/SitePages.ts"

/** What to add to the `<head>` of a page. */
export interface HeadSnippet {
  /** The page's URL. */
  readonly url: string
  /** Elements, one a line. */
  readonly text: string
  /** The plugins whose criteria it is for. */
  readonly plugins: ReadonlyArray<WritablePlugin>
}

/** What heads are to announce. */
export interface HeadWish {
  readonly metadata: boolean
  readonly entryPoints: boolean
  readonly spec: { readonly url: string; readonly type: string } | null
  /** The registrable domain of the site. */
  readonly site: string
}

interface Part {
  readonly plugin: WritablePlugin
  readonly element: string
}

/** The elements that the head of a page lacks and that the page itself tells; `null`: none. What is there is never repeated. */
export const headSnippet = (own: SitePage, wish: HeadWish): HeadSnippet | null => {
  const { page, url } = own
  if (page.format !== "html" || page.redirect !== null) return null
  const parts = [
    ...(wish.metadata ? metadata(own) : []),
    ...(wish.entryPoints ? entryPoints(own, wish.site) : []),
    ...specLink(page, wish)
  ]
  if (parts.length === 0) return null
  return {
    url,
    text: `${parts.map(({ element }) => element).join("\n")}\n`,
    plugins: [...new Set(parts.map(({ plugin }) => plugin))].sort()
  }
}

/** Whether a page without a title has a `<title>` all the same: of two, only the first counts. */
const hasEmptyTitle = ({ answer }: Page): boolean => {
  const [head = ""] = Buffer.from(answer.body)
    .toString("latin1")
    .split(/<body[\s>]/i, 1)
  return /<title[\s>]/i.test(head)
}

const part = (plugin: WritablePlugin, element: string): Part => ({ plugin, element })

const metadata = ({ changed, description: about, opening, page, title, url }: SitePage): ReadonlyArray<Part> => {
  const description = readingLength(opening) >= LEAST_DESCRIPTION ? opening : ""
  return [
    ...(page.title === "" && title !== "" && !hasEmptyTitle(page)
      ? [part("b4-metadata", `<title>${escapeMarkup(title)}</title>`)]
      : []),
    ...(description === ""
      ? []
      : [part("b4-metadata", `<meta name="description" content="${escapeMarkup(description)}">`)]),
    ...(page.canonical === null ? [part("b4-metadata", `<link rel="canonical" href="${escapeMarkup(url)}">`)] : []),
    ...(!describesPage(page.structured) && title !== ""
      ? [
          part(
            "b4-metadata",
            structuredData(page, { title, url, changed, description: page.description === "" ? description : about })
          )
        ]
      : [])
  ]
}

interface Article {
  readonly title: string
  readonly url: string
  readonly description: string
  readonly changed: string | null
}

/** JSON-LD about the page. `<` is escaped, so that no text ends the script. */
const structuredData = (page: Page, { changed, description, title, url }: Article): string => {
  const article = {
    "@context": "https://schema.org",
    "@type": isReference(page) ? "APIReference" : "TechArticle",
    headline: title,
    ...(description === "" ? {} : { description }),
    url,
    ...(page.lang === "" ? {} : { inLanguage: page.lang }),
    ...(changed === null ? {} : { dateModified: changed })
  }
  return `<script type="application/ld+json">${JSON.stringify(article).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}</script>`
}

const entryPoints = ({ markdown, page }: SitePage, site: string): ReadonlyArray<Part> => {
  const isAnnounced = page.announcements.some(
    ({ rel, type, url }) => rel.includes("alternate") && isMarkdownType(type) && onSite(url, site)
  )
  const url = markdown?.url ?? null
  return url === null || isAnnounced || samePage(url, page.url)
    ? []
    : [part("a5-entry-points", `<link rel="alternate" type="text/markdown" href="${escapeMarkup(url)}">`)]
}

const specLink = ({ announcements }: Page, { spec }: HeadWish): ReadonlyArray<Part> =>
  spec === null || announcements.some(({ rel }) => rel.includes("service-desc"))
    ? []
    : [
        part(
          "c1-spec-found",
          `<link rel="service-desc"${spec.type === "" ? "" : ` type="${escapeMarkup(spec.type)}"`} href="${escapeMarkup(spec.url)}">`
        )
      ]
