import { isAnswer } from "../../evidence/Exchange.ts"
import { percentDecoded } from "../../text/UrlPath.ts"
import { isAside, productPlace } from "../site/PageOrder.ts"
import { DESCRIPTION_CHARACTERS, haveSameWords } from "../site/PageSentences.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import { markdownLine, markdownLink } from "./Links.ts"

/** One page in an llms.txt. */
export interface Line {
  readonly url: string
  readonly text: string
  /** The line without its description, where the file would get too long. */
  readonly short: string
  /** Path segments below the base. */
  readonly path: ReadonlyArray<string>
  /** The page's URL: sections are named by the page at their root. */
  readonly page: string
  readonly title: string
  /** The part of the menus that the page is in; empty where there is none. */
  readonly part: string
  /** Whether a menu has it. */
  readonly inMenu: boolean
  /** How often agents ask for it; 0 where that is not known. */
  readonly reads: number
}

/** Pages below one heading. */
export interface LlmsPart {
  readonly heading: string
  readonly lines: ReadonlyArray<Line>
  /** Pages outside any part, and those that are not about how to use the product, are no part of their own. */
  readonly kind: "part" | "pages" | "aside"
}

export const LEAST_LINKS = 3

/** As the sample counts: beside fewer pages than these, Markdown files may be the pages. */
const LEAST_BESIDE_MARKDOWN = 5

/** Headings down to this level are listed where there are too few pages. */
const PART_LEVEL = 2

interface Named {
  readonly page: string
  readonly url: string
  readonly title: string
  readonly description: string
}

/** Pages that were opened, with what they are about, and those that the site links to by a title: in the order of the menus, each with a title of its own. */
export const linesOf = (
  { base }: PublishedSite,
  { linked, navigation, opened, requestsFor, title: siteTitle }: SitePages
): ReadonlyArray<Line> => {
  // Beside few pages, Markdown files that are linked count as pages of their own.
  const linksMarkdown = opened.length + linked.length >= LEAST_BESIDE_MARKDOWN
  const named = [
    ...opened
      .filter(({ page }) => isAnswer(page.answer))
      .map(({ description, linkedAs, markdown, title }): Named => ({
        page: linkedAs,
        url: linksMarkdown ? (markdown?.url ?? linkedAs) : linkedAs,
        title: title || linkedAs,
        description: description === title ? "" : description
      })),
    ...linked
      .filter(({ title }) => title !== "")
      .map(({ title, url }): Named => ({ page: url, url, title, description: "" })),
    // A documentation on one page or two is told apart by its headings.
    ...(opened.length + linked.length >= LEAST_LINKS
      ? []
      : opened.flatMap(({ page, title, url }) =>
          page.headings
            .filter(
              // A date is no part of a documentation, but an entry of its changelog.
              ({ anchor, inMain, level, text }) =>
                inMain && level <= PART_LEVEL && anchor !== null && text !== title && /\p{L}/u.test(text)
            )
            .map(({ anchor, text }): Named => ({
              page: url,
              url: `${url}#${encodeURIComponent(anchor ?? "")}`,
              title: text,
              description: ""
            }))
        ))
  ]
  const descriptions = Map.groupBy(named, ({ description }) => description)
  const titles = distinctTitles(named.map(({ page, title }) => ({ title, path: segmentsBelow(base.prefix, page) })))
  const lines = named.map(({ description, page, url }, index): Line => {
    const title = titles[index] ?? ""
    const short = `- ${markdownLink(title, url)}\n`
    // What is said of several pages says nothing about one.
    const isOwn = description !== "" && descriptions.get(description)?.length === 1
    return {
      url,
      page,
      title,
      // A part of a menu that is called as the site is tells nothing.
      part: haveSameWords(navigation.sectionOf(page), siteTitle) ? "" : navigation.sectionOf(page),
      inMenu: Number.isFinite(navigation.placeOf(page)),
      reads: requestsFor?.(page) ?? 0,
      path: segmentsBelow(base.prefix, page),
      short,
      text: isOwn ? `${short.trimEnd()}: ${markdownLine(description, DESCRIPTION_CHARACTERS)}\n` : short
    }
  })
  const [first, ...others] = lines
  const place = ({ inMenu, page }: Line): number => (inMenu ? navigation.placeOf(page) : Number.POSITIVE_INFINITY)
  const byPlace = (one: Line, other: Line): number => (place(one) === place(other) ? 0 : place(one) - place(other))
  return first === undefined ? [] : [first, ...others.sort(byPlace)]
}

interface Titled {
  readonly title: string
  readonly path: ReadonlyArray<string>
}

/** Titles that tell pages apart: to those that several have, the folder is added in which they differ, by the title of its own page where it has one. */
const distinctTitles = (pages: ReadonlyArray<Titled>): ReadonlyArray<string> => {
  const byTitle = Map.groupBy(pages, ({ title }) => title)
  const folders = new Map(pages.map(({ path, title }) => [withoutEnding(path.join("/")), title] as const).reverse())
  return pages.map((page) => {
    const alike = byTitle.get(page.title) ?? []
    if (alike.length === 1) return page.title
    const different = page.path.flatMap((segment, at) =>
      alike.some(({ path }) => path[at] !== segment) ? [{ at, segment }] : []
    )
    // The first of the folders that no other page of this title is in, too.
    const enough = different.findIndex((_, last) =>
      alike.every(
        (other) => other === page || different.slice(0, last + 1).some(({ at, segment }) => other.path[at] !== segment)
      )
    )
    const shown = different.slice(0, enough === -1 ? different.length : enough + 1)
    const names = shown.map(({ at, segment }) => {
      const named = at === page.path.length - 1 ? undefined : folders.get(page.path.slice(0, at + 1).join("/"))
      return named !== undefined && (byTitle.get(named)?.length === 1 || haveSameWords(named, nameOf(segment)))
        ? named
        : nameOf(segment)
    })
    const isNamed = names.length === 1 && names[0]?.toLowerCase() === page.title.toLowerCase()
    return names.length === 0 || isNamed ? page.title : `${page.title}: ${names.join(" / ")}`
  })
}

const withoutEnding = (path: string): string => path.replace(/\.html?$/, "")

const segmentsBelow = (prefix: string, url: string): ReadonlyArray<string> => {
  const { pathname } = new URL(url)
  return (pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname)
    .split("/")
    .filter((segment) => segment !== "")
}

/** A folder with one page needs no section. */
const LEAST_IN_SECTION = 2

const PAGES = "Pages"
const ASIDE = "About the project"

/**
 * The parts of the menus, and a section for each folder of pages that are in none: those that somebody who uses the product needs first,
 * in the order of the menus; pages outside any before them, and what is not about how to use the product at the end.
 */
export const sectionsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<LlmsPart> => {
  const aside = lines.filter(({ page, title }, index) => index > 0 && isAside({ title, url: page }))
  const rest = lines.filter((line) => !aside.includes(line))
  const depth = sharedDepth(rest)
  const titles = folderTitles(rest, depth)
  const headingOf = ({ part, path }: Line, index: number): string => {
    if (index === 0) return ""
    const folder = path.length > depth + 1 ? (path[depth] ?? "") : ""
    return part !== "" || folder === "" ? part : (titles.get(folder) ?? nameOf(folder))
  }
  const headings = new Map(rest.map((line, index) => [line, headingOf(line, index)] as const))
  const groups = Map.groupBy(rest, (line) => headings.get(line) ?? "")
  const isLarge = (heading: string, own: ReadonlyArray<Line>): boolean =>
    heading !== "" && own.length >= LEAST_IN_SECTION
  const small = [...groups].flatMap(([heading, own]) => (isLarge(heading, own) ? [] : own))
  const parts = [...groups]
    .filter(([heading, own]) => isLarge(heading, own))
    .map(([heading, own]): LlmsPart => ({ heading, kind: "part", lines: neededFirst(own) }))
  return [
    ...(small.length === 0 ? [] : [{ heading: PAGES, kind: "pages", lines: neededFirst(small) } as const]),
    ...parts.filter(isNeeded),
    ...parts.filter((part) => !isNeeded(part)),
    ...(aside.length === 0 ? [] : [{ heading: ASIDE, kind: "aside", lines: aside } as const])
  ]
}

const isNeeded = ({ heading, lines }: LlmsPart): boolean =>
  productPlace({ title: heading, url: "https://x/" }) < NOT_NEEDED ||
  lines.some(({ page, title }) => productPlace({ title, url: page }) < NOT_NEEDED)

const NOT_NEEDED = productPlace({ title: "", url: "https://x/" })

/** What agents ask for most before the rest, where that is known; the start page stays first. */
const neededFirst = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const weight = ({ path, reads }: Line): number => (path.length === 0 ? Infinity : reads)
  return lines.every(({ reads }) => reads === 0)
    ? menuFirst(lines)
    : menuFirst(lines).toSorted((one, other) => (weight(one) === weight(other) ? 0 : weight(other) - weight(one)))
}

/** The order of the menus; pages that these do not have, by what somebody needs first. */
const menuFirst = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => [
  ...lines.filter(({ inMenu }, index) => inMenu || index === 0),
  ...lines
    .filter(({ inMenu }, index) => !inMenu && index > 0)
    .sort(
      (one, other) =>
        productPlace({ title: one.title, url: one.page }) - productPlace({ title: other.title, url: other.page })
    )
]

export const sectionText = ({ heading, lines }: LlmsPart): string =>
  `\n## ${markdownLine(heading, 80)}\n\n${lines.map(({ text }) => text).join("")}`

/** Folders that all pages are in tell nothing. */
const sharedDepth = (lines: ReadonlyArray<Line>): number => {
  const paths = lines.map(({ path }) => path).filter((path) => path.length > 0)
  const [first = []] = paths
  const different = first.findIndex(
    (segment, index) =>
      index === first.length - 1 || paths.some((path) => path[index] !== segment || path.length === index + 1)
  )
  return Math.max(0, different)
}

/** The titles of the folders' own pages: of the first, where a folder has several. */
const folderTitles = (lines: ReadonlyArray<Line>, depth: number): ReadonlyMap<string, string> =>
  new Map(
    lines
      .filter(({ path }) => path.length === depth + 1)
      .map(({ path, title }) => [path[depth]?.replace(/\.html?$/, "") ?? "", title] as const)
      .reverse()
  )

const nameOf = (folder: string): string => {
  const name = (percentDecoded(folder.replace(/\.html?$/, "")) ?? folder).replaceAll(/[-_]+/g, " ").trim()
  return name.charAt(0).toUpperCase() + name.slice(1)
}
