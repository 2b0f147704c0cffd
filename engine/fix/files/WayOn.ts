import { pageKey, samePage } from "../../evidence/Address.ts"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import { markdownLink } from "./Links.ts"

/** A page as its neighbours name it. */
interface WayPage {
  readonly url: string
  readonly title: string
  /** Whether a menu has it, so that its neighbours there are those to read before and after it. */
  readonly inMenu: boolean
}

/** What the Markdown version of each page ends with. */
interface WaysOn {
  /** The text with the way on after it: pages that it leads to and does not link to yet, the index of its section, its neighbours and llms.txt. */
  readonly ledOn: (url: string, markdown: string) => string
}

/** Where a page leads, at most: a longer list is a sitemap. */
const MOST_LINKS = 500

/**
 * The ways from page to page. Links keep the URLs of pages: a host that negotiates sends their Markdown there, and any other host the page.
 *
 * @param pages those of the documentation, in the order of its menus, the start page first.
 * @param llmsTxt where llms.txt is or will be; `null`: nowhere.
 */
export const waysOn = (site: PublishedSite, pages: ReadonlyArray<WayPage>, llmsTxt: string | null): WaysOn => {
  const start = pages.find(({ url }) => samePage(url, site.base.url))
  const byKey = new Map(pages.map((page, index) => [pageKey(page.url), index] as const))
  const folders = new Map(pages.map((page) => [folderOf(page.url), page] as const).reverse())
  const shown = new Set((site.base.page?.links ?? []).map(({ url }) => pageKey(url)))
  const fromStart = pages.filter(({ url }) => shown.has(pageKey(url)))
  const { headed, under } = sectionsOf(
    pages,
    (folder) => folders.has(folder),
    (within) => within.find((page) => page === start) ?? within.find(({ url }) => shown.has(pageKey(url))) ?? within[0]
  )
  const belowStart =
    start === undefined ? [] : (under.get(folderOf(start.url)) ?? []).filter((page) => headed.has(pageKey(page.url)))
  const upFrom = (url: string): WayPage | null =>
    foldersAround(folderOf(url))
      .map((folder) => folders.get(folder))
      .find((above) => above !== undefined) ??
    start ??
    null
  const besideIn = (at: number | undefined, step: 1 | -1): WayPage | null => {
    const beside = at === undefined || pages[at]?.inMenu !== true ? undefined : pages[at + step]
    return beside?.inMenu === true ? beside : null
  }
  return {
    ledOn: (url, markdown) => {
      const key = pageKey(url)
      const at = byKey.get(key)
      const isStart = start !== undefined && pageKey(start.url) === key
      const linked = linksIn(markdown)
      const below = isStart ? [...fromStart, ...belowStart] : (under.get(folderOf(url)) ?? [])
      const missing = [...new Set([...below, ...(headed.get(key) ?? [])])].filter(
        (other) => pageKey(other.url) !== key && !linked.has(pageKey(other.url))
      )
      const up = isStart ? null : upFrom(url)
      const [before, after] = [isStart ? null : besideIn(at, -1), besideIn(at, 1)]
      const neighbours = [
        ...(up === null ? [] : [["Up", up] as const]),
        ...(before === null || before === up ? [] : [["Previous", before] as const]),
        ...(after === null ? [] : [["Next", after] as const])
      ].map(([name, { title, url }]) => `${name}: ${markdownLink(title, url)}`)
      const line = [...neighbours, ...(llmsTxt === null ? [] : [`Index: ${markdownLink("llms.txt", llmsTxt)}`])]
      return [
        markdown.trimEnd(),
        ...(missing.length === 0
          ? []
          : [
              `## ${isStart ? "Pages" : "Pages of this section"}`,
              missing
                .slice(0, MOST_LINKS)
                .map(({ title, url }) => `- ${markdownLink(title, url)}`)
                .join("\n")
            ]),
        ...(line.length === 0 ? [] : ["---", line.join(" · ")])
      ]
        .join("\n\n")
        .concat("\n")
    }
  }
}

/** Pages by the folders around them. */
interface Sections {
  /** Those right in a folder, and the heads of the folders without a page in it. */
  readonly under: ReadonlyMap<string, ReadonlyArray<WayPage>>
  /** What is in the folders without a page that a page is the head of, by its key: it leads there, as no index does. */
  readonly headed: ReadonlyMap<string, ReadonlyArray<WayPage>>
}

/** Folders named after a year, a month or a day have the posts of a blog: no menu lists them. */
const DATE_FOLDER = /\/(?:19|20)\d\d(?:\/\d{1,2}){0,2}$/

const sectionsOf = (
  pages: ReadonlyArray<WayPage>,
  hasPage: (folder: string) => boolean,
  headOf: (within: ReadonlyArray<WayPage>) => WayPage | undefined
): Sections => {
  const under = Map.groupBy(pages, ({ url }) => parentFolder(folderOf(url)))
  const headed = new Map<string, Array<WayPage>>()
  const folders = new Set(pages.flatMap(({ url }) => foldersAround(folderOf(url))))
  // Each before the folder around it, which lists its head; that has the shorter path.
  for (const folder of [...folders].sort((one, other) => other.length - one.length)) {
    const within = hasPage(folder) || DATE_FOLDER.test(folder) ? [] : (under.get(folder) ?? [])
    const head = headOf(within)
    if (head === undefined) continue
    add(headed, pageKey(head.url), within)
    add(under, parentFolder(folder), [head])
  }
  return { headed, under }
}

const add = (pages: Map<string, Array<WayPage>>, key: string, more: ReadonlyArray<WayPage>): void => {
  const known = pages.get(key) ?? []
  for (const page of more) known.push(page)
  pages.set(key, known)
}

/** The pages that a text links to, as `pageKey` writes them. */
const linksIn = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.matchAll(/\]\(<?(https?:[^\s<>()]{1,4000})/g)].flatMap(([, url = ""]) =>
      URL.canParse(url) ? [pageKey(url)] : []
    )
  )

const LINE = /^(?:Up|Previous|Next|Index): \[/

/** A Markdown version as it was before its way on was added. */
export const withoutWayOn = (markdown: string): string => {
  const rule = markdown.lastIndexOf("\n\n---\n\n")
  if (rule === -1 || !LINE.test(markdown.slice(rule + 7, rule + 20))) return markdown
  const list = markdown.lastIndexOf("\n\n## Pages", rule)
  const items =
    list === -1
      ? []
      : markdown
          .slice(list + 2, rule)
          .split("\n")
          .slice(2)
  const isOurs = items.length > 0 && items.every((item) => item.startsWith("- ["))
  return `${markdown.slice(0, isOurs ? list : rule)}\n`
}

/** The pages of a site that a way may lead to. */
export const wayPages = ({ linked, navigation, opened }: SitePages): ReadonlyArray<WayPage> => {
  const inMenu = (url: string): boolean => Number.isFinite(navigation.placeOf(url))
  const place = (url: string): number => navigation.placeOf(url)
  return [
    ...opened.map(({ linkedAs, title }) => ({ url: linkedAs, title })),
    ...linked.filter(({ title }) => title !== "")
  ]
    .map(({ title, url }): WayPage => ({ url, title, inMenu: inMenu(url) }))
    .sort((one, other) => (place(one.url) === place(other.url) ? 0 : place(one.url) - place(other.url)))
}

/** The path that pages below a page have before their own names: `/guide` of `/guide`, `/guide/` and `/guide/index.html`. */
const folderOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${trimTrailingSlashes(pathname.replace(/\/index\.html?$/, "/").replace(/\.html?$/, ""))}`
}

/** More folders around a page are not looked at: no documentation is as deep. */
const MOST_LEVELS = 50

/** The folders around one, the nearest first. */
const foldersAround = (folder: string): ReadonlyArray<string> => {
  const around: Array<string> = []
  for (let above = parentFolder(folder); above !== "" && around.length < MOST_LEVELS; above = parentFolder(above))
    around.push(above)
  return around
}

/** Empty above the root of a host. */
const parentFolder = (folder: string): string => {
  const end = folder.lastIndexOf("/")
  return end <= folder.indexOf("//") + 1 ? "" : folder.slice(0, end)
}
