import type { AuditReport } from "../../audit/Report.ts"
import { pageKey } from "../../evidence/Address.ts"
import type { LlmsFile } from "../../site/wellknown/LlmsTxt.ts"
import { isMarkdownUrl, withoutPageEnding } from "../../text/UrlPath.ts"
import { plainText } from "../../text/PlainText.ts"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePage } from "../site/SitePages.ts"
import { criteriaBy } from "../site/WritablePlugins.ts"
import { grouped } from "../../plugin/Wording.ts"

/*
 * Dead links of the owner's llms.txt that mean a page of the site: they name its Markdown version, which is not published, or the page in
 * another spelling.
 */

/** Pages and links that are opened for this, at most. */
const MOST_OPENED = 50

/** Links of llms.txt that its criteria found dead. Their first finding is about the file, and an inconclusive result names what did not answer. */
export const deadLinks = ({ criteria }: Pick<AuditReport, "criteria">): ReadonlySet<string> =>
  new Set(
    criteriaBy(criteria, "a1-llms-txt").flatMap(({ findings = [], status }) =>
      status === "inconclusive" ? [] : findings.slice(1).flatMap(({ good, url }) => (good ? [] : [url]))
    )
  )

/** A URL without what authors confuse: case, `-` and `_`, file endings, a slash at the end. */
const spellingOf = (url: string): string => {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${trimTrailingSlashes(withoutPageEnding(pathname).replace(/\/index$/, "/"))
    .toLowerCase()
    .replaceAll(/(?:[-_+]|%20)+/g, "-")}${search}`
}

/** What to look at before links are corrected: pages that links of llms.txt seem to mean, and links in another spelling that may be dead, too. None unless a link is known to be dead. */
export const meantByLinks = ({ llmsTxt, sample }: PublishedSite, dead: ReadonlySet<string>): ReadonlyArray<string> => {
  const links = (llmsTxt.file?.links ?? []).flatMap(({ leads, onSite, url }) =>
    leads && onSite && url !== null ? [url] : []
  )
  if (!links.some((url) => dead.has(url))) return []
  const linked = new Set(links)
  const pages = Map.groupBy(
    sample.candidates.map(({ url }) => url).filter((url) => !linked.has(url) && !isMarkdownUrl(url)),
    spellingOf
  )
  const opened = new Set(
    sample.visits.flatMap(({ candidate, exchange }) => [pageKey(candidate.url), pageKey(exchange.url)])
  )
  const meant = [...linked].filter((url) => pages.has(spellingOf(url)))
  return [
    ...meant.flatMap((url) => pages.get(spellingOf(url)) ?? []),
    ...meant.filter((url) => !isMarkdownUrl(url) && !dead.has(url))
  ]
    .filter((url) => !opened.has(pageKey(url)))
    .slice(0, MOST_OPENED)
}

/** The text of llms.txt after its dead links were corrected. */
export interface Repaired {
  readonly text: string
  /** How many links were changed. */
  readonly links: number
  /** The URLs of the pages that they lead to now, as the site links to them. */
  readonly pages: ReadonlyArray<string>
}

/** The text of llms.txt with the dead links corrected that mean one page which was opened, and only one. */
export const withLinksRepaired = (
  text: string,
  { links }: LlmsFile,
  dead: ReadonlySet<string>,
  opened: ReadonlyArray<SitePage>
): Repaired => {
  if (dead.size === 0) return { text, links: 0, pages: [] }
  const published = new Set(opened.flatMap(({ markdown }) => markdown?.url ?? []))
  const pages = Map.groupBy(opened, ({ url }) => spellingOf(url))
  const targets = new Map(
    links.flatMap(({ href, url }) => {
      if (url === null || !dead.has(url) || published.has(url)) return []
      const [page, other] = pages.get(spellingOf(url)) ?? []
      return page === undefined || other !== undefined || pageKey(page.url) === pageKey(url)
        ? []
        : [[href, { page: page.linkedAs, target: hrefTo(page, href, isMarkdownUrl(url)) }] as const]
    })
  )
  let repaired = text
  const corrected: Array<string> = []
  for (const [href, { page, target }] of targets) {
    const next = repaired.replaceAll(`](${href})`, () => `](${markdownTarget(target)})`)
    if (next !== repaired) corrected.push(page)
    repaired = next
  }
  return { text: repaired, links: corrected.length, pages: corrected }
}

/** The page's URL in the form of the link: a path for a path, with its fragment, and Markdown for Markdown. */
const hrefTo = ({ linkedAs, markdown }: SitePage, href: string, isMarkdown: boolean): string => {
  const url = new URL(isMarkdown ? (markdown?.url ?? linkedAs) : linkedAs)
  const fragment = href.includes("#") ? href.slice(href.indexOf("#")) : ""
  return `${/^[a-z][a-z0-9+.-]*:/i.test(href) ? url.href : `${url.pathname}${url.search}`}${fragment}`
}

/** What was changed, as a sentence. */
export const repairRemark = (links: number): string =>
  links === 1
    ? "1 dead link is corrected: it had the URL of a page in another spelling."
    : `${grouped(links)} dead links are corrected: they had the URLs of pages in another spelling.`

/** What would begin or end Markdown inside a line, and at its start: nothing else is escaped, as many read it raw. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]<~]|&(?=#?\w{1,40};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/^(?:#{1,6}(?!\S)|[-+=>|]|\d{1,9}(?=[.)](?:\s|$)))/, (start) =>
      /^\d/.test(start) ? `${start}\\` : `\\${start}`
    )
    .replace(/\s(?=#{1,150}$)/, " \\")

/** One line of text that Markdown shows as it is. */
export const markdownLine = (text: string, most: number): string => escaped(plainText(text, most))

/** `[text](url)`, whatever is in either. */
export const markdownLink = (text: string, url: string): string =>
  `[${escaped(plainText(text, 150)) || escaped(encodedUrl(url))}](${markdownTarget(url)})`

/** A URL, escaped for the parentheses of a Markdown link. */
const markdownTarget = (url: string): string => {
  const target = encodedUrl(url)
  return /[()\\]/.test(target) ? `<${target.replaceAll("\\", "%5C")}>` : target
}

/** In a URL, too, Markdown reads `&lt;` as a character. */
const encodedUrl = (url: string): string =>
  url.replaceAll(/[\s<>]/g, encodeURIComponent).replaceAll(/&(?=#?\w+;)/g, "&amp;")
