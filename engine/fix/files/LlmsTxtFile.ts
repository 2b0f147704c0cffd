import { below, pageKey } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { isAnswer } from "../../evidence/Exchange.ts"
import { type LlmsDocument, parseLlmsTxt } from "../../page/markdown/LlmsDocument.ts"
import { percentDecoded } from "../../text/PercentDecoding.ts"
import { whyNotCompleted } from "../site/Completable.ts"
import { filePathOf } from "../site/FilePath.ts"
import { type GeneratedFile, NOTHING, notWritten, onlyFile, together, type Written } from "../site/GeneratedFile.ts"
import { openingProse } from "../site/PageWords.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import type { WritablePlugin } from "../site/WritablePlugins.ts"
import { publishedSpec } from "./ApiCatalogFile.ts"
import { type Repaired, repairRemark, withLinksRepaired } from "./DeadLinks.ts"
import { markdownLine, markdownLink } from "./MarkdownLink.ts"

/** What agents read of an llms.txt, in characters; a longer one does not get full points. */
const MOST_CHARACTERS = 50_000

const LEAST_LINKS = 3

/** As the sample counts: beside fewer pages than these, Markdown files may be the pages. */
const LEAST_BESIDE_MARKDOWN = 5

/** Headings down to this level are listed where there are too few pages. */
const PART_LEVEL = 2

interface Line {
  readonly url: string
  readonly text: string
  /** The line without its description, where the file would get too long. */
  readonly short: string
  /** Path segments below the base. */
  readonly path: ReadonlyArray<string>
  /** The page's URL: sections are named by the page at their root. */
  readonly page: string
  readonly title: string
}

/** What llms.txt is to name beside the pages. */
export interface LlmsExtras {
  /** The API description, where no page announces it; else `null`. */
  readonly spec: { readonly url: string; readonly title: string } | null
  /** Where the full text is or will be; `null`: nowhere. */
  readonly fullText: string | null
  /** Whether llms.txt has points to gain. */
  readonly pages: boolean
  /** Links of the llms.txt that is there and that lead nowhere. */
  readonly dead: ReadonlySet<string>
}

/** Writes llms.txt, or completes the one that is there. */
export const llmsTxtFile = (site: PublishedSite, pages: SitePages, extras: LlmsExtras): Written => {
  const { file, missing } = site.llmsTxt
  if (missing.length > 0)
    return notWritten("a1-llms-txt", "An llms.txt may exist: its URL did not answer. Try again later.", [
      missing[0]?.asked.url ?? ""
    ])
  if (file === null) return extras.pages ? newFile(site, pages, extras) : NOTHING
  const { text } = textOf(file.answer)
  const repaired = extras.pages
    ? withLinksRepaired(text, file, extras.dead, pages.opened)
    : { text, links: 0, pages: [] }
  const completed =
    completion(repaired, file.document, site, pages, extras) ?? (repaired.links === 0 ? null : repaired.text)
  const refusal = completed === null ? null : whyNotCompleted(file.answer)
  if (refusal !== null)
    return together([notWritten("a1-llms-txt", `llms.txt ${refusal}`, [file.url]), leftOver(file.document, file.url)])
  return completed === null
    ? leftOver(file.document, file.url)
    : together([
        publish(
          file.url,
          completed,
          text,
          pluginsOf(extras),
          repaired.links === 0 ? {} : { remark: repairRemark(repaired.links) }
        ),
        leftOver(parseLlmsTxt(completed), file.url)
      ])
}

const pluginsOf = ({ pages, spec }: LlmsExtras): ReadonlyArray<WritablePlugin> => [
  ...(pages ? (["a1-llms-txt"] as const) : []),
  ...(spec === null ? [] : (["c1-spec-found"] as const))
]

/** Points that only the owner can gain: what is there is never removed. */
const leftOver = ({ characters, titles }: LlmsDocument, url: string): Written =>
  together([
    titles.length > 1
      ? notWritten("a1-llms-txt", `llms.txt has ${titles.length} H1 headings. Keep one.`, [url])
      : NOTHING,
    characters > MOST_CHARACTERS
      ? notWritten(
          "a1-llms-txt",
          "llms.txt is longer than 50,000 characters. Move parts of it into one file per area, and link to these.",
          [url]
        )
      : NOTHING
  ])

const publish = (
  url: string,
  text: string,
  completes: string | null,
  plugins: ReadonlyArray<WritablePlugin>,
  remark: Pick<GeneratedFile, "remark"> = {}
): Written => {
  const path = filePathOf(url)
  return path === null ? NOTHING : onlyFile({ path, url, plugins, text, completes, ...remark })
}

const newFile = (site: PublishedSite, pages: SitePages, extras: LlmsExtras): Written => {
  if (pages.title === "")
    return notWritten("a1-llms-txt", "No page has a title, so llms.txt would have no heading. Give the pages titles.")
  const head = `# ${markdownLine(pages.title, 150)}\n${summaryOf(site, pages)}`
  const lines = linesOf(site, pages)
  // A documentation on one page or two is more than these: its API description and full text are for agents, too.
  const beside =
    lines.length >= LEAST_LINKS
      ? specSection(extras.spec)
      : `${specSection(extras.spec ?? announcedSpec(site))}${fullTextSection(extras)}`
  const text = fitted(lines, (kept) => `${head}${sectionsOf(kept)}${beside}`)
  const document = parseLlmsTxt(text)
  const isSound =
    document.titles.length === 1 &&
    document.sections.some(({ linkItems }) => linkItems > 0) &&
    document.links.filter(({ leads }) => leads).length >= LEAST_LINKS &&
    document.characters <= MOST_CHARACTERS
  if (!isSound)
    return notWritten(
      "a1-llms-txt",
      "We found fewer than three pages, so llms.txt would have too few links. Link the pages from the start page.",
      [site.base.url]
    )
  return publish(below(site.base.folder, "llms.txt"), text, null, pluginsOf(extras))
}

/** The base page's description, or its first sentences. */
const summaryOf = ({ base }: PublishedSite, { opened }: SitePages): string => {
  const summary =
    opened.find(({ url }) => url === base.url)?.description ?? (base.page === null ? "" : openingProse(base.page, 1))
  return summary === "" ? "" : `\n> ${markdownLine(summary, 300)}\n`
}

/** Adds what is missing: a title before, pages and the API description after what is there. */
const completion = (
  repaired: Repaired,
  document: LlmsDocument,
  site: PublishedSite,
  pages: SitePages,
  extras: LlmsExtras
): string | null => {
  const title =
    extras.pages && document.titles.length === 0 && pages.title !== "" ? `# ${markdownLine(pages.title, 150)}\n\n` : ""
  const leading = document.links.filter(({ leads }) => leads).length
  const lacksLinks =
    extras.pages && (leading < LEAST_LINKS || !document.sections.some(({ linkItems }) => linkItems > 0))
  const listed = new Set(
    [...(site.llmsTxt.file?.links ?? []).flatMap(({ url }) => url ?? []), ...repaired.pages].map(pageKey)
  )
  const missing = lacksLinks
    ? linesOf(site, pages).filter(({ page, url }) => !listed.has(pageKey(url)) && !listed.has(pageKey(page)))
    : []
  const spec = extras.spec === null || listed.has(pageKey(extras.spec.url)) ? "" : specSection(extras.spec)
  const body = repaired.text.replace(/^\uFEFF/, "").trimEnd()
  const completed = fitted(missing, (kept) => `${title}${body}\n${sectionsOf(kept)}${spec}`)
  // A file that is too long takes no link.
  return completed === `${body}\n` ? null : completed
}

const announcedSpec = (site: PublishedSite): LlmsExtras["spec"] => {
  const found = publishedSpec(site)
  return found === null ? null : { url: found.url, title: specTitle(found.spec.title) }
}

export const specTitle = (title: string): string => (title === "" ? "API description" : title)

const fullTextSection = ({ fullText }: LlmsExtras): string =>
  fullText === null ? "" : `\n## Full text\n\n- ${markdownLink("All pages in one file", fullText)}\n`

const specSection = (spec: LlmsExtras["spec"]): string =>
  spec === null ? "" : `\n## API description\n\n- ${markdownLink(spec.title, spec.url)}\n`

/** Leaves out descriptions, and then the last pages, until the text is short enough. */
const fitted = (lines: ReadonlyArray<Line>, textOf: (lines: ReadonlyArray<Line>) => string): string => {
  const full = textOf(lines)
  if (characters(full) <= MOST_CHARACTERS) return full
  const short = lines.map((line) => ({ ...line, text: line.short }))
  let least = 0
  let most = short.length
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (characters(textOf(short.slice(0, middle))) <= MOST_CHARACTERS) least = middle
    else most = middle - 1
  }
  return textOf(short.slice(0, least))
}

const characters = (text: string): number => text.length - (text.match(PAIR)?.length ?? 0)

/** A character of two UTF-16 code units. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Pages that were opened, with what they are about; then those that the site links to by a title. */
const linesOf = ({ base }: PublishedSite, { linked, opened }: SitePages): ReadonlyArray<Line> => {
  const lineOf = (page: string, url: string, title: string, description: string): Line => {
    const short = `- ${markdownLink(title, url)}\n`
    return {
      url,
      page,
      title,
      path: segmentsBelow(base.prefix, page),
      short,
      text: description === "" ? short : `${short.trimEnd()}: ${markdownLine(description, 200)}\n`
    }
  }
  // Beside few pages, Markdown files that are linked count as pages of their own.
  const linksMarkdown = opened.length + linked.length >= LEAST_BESIDE_MARKDOWN
  // A documentation on one page or two is told apart by its headings.
  const parts =
    opened.length + linked.length >= LEAST_LINKS
      ? []
      : opened.flatMap(({ page, url }) =>
          page.headings
            .filter(
              ({ anchor, inMain, level, text }) => inMain && level <= PART_LEVEL && anchor !== null && text !== ""
            )
            .map(({ anchor, text }) => lineOf(url, `${url}#${encodeURIComponent(anchor ?? "")}`, text, ""))
        )
  return [
    ...opened
      .filter(({ page }) => isAnswer(page.answer))
      .map(({ description, linkedAs, markdown, title }) =>
        lineOf(
          linkedAs,
          linksMarkdown ? (markdown?.url ?? linkedAs) : linkedAs,
          title || linkedAs,
          description === title ? "" : description
        )
      ),
    ...linked.filter(({ title }) => title !== "").map(({ title, url }) => lineOf(url, url, title, "")),
    ...parts
  ]
}

const segmentsBelow = (prefix: string, url: string): ReadonlyArray<string> => {
  const { pathname } = new URL(url)
  return (pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname)
    .split("/")
    .filter((segment) => segment !== "")
}

/** A folder with one page needs no section. */
const LEAST_IN_SECTION = 2

/** One section for each folder; pages outside any come first. */
const sectionsOf = (lines: ReadonlyArray<Line>): string => {
  const depth = sharedDepth(lines)
  const titles = folderTitles(lines, depth)
  const folderOf = ({ path }: Line): string => (path.length > depth + 1 ? (path[depth] ?? "") : "")
  const groups = Map.groupBy(lines, folderOf)
  const small = [...groups]
    .filter(([folder, own]) => folder === "" || own.length < LEAST_IN_SECTION)
    .flatMap(([, own]) => own)
  const large = [...groups].filter(([folder, own]) => folder !== "" && own.length >= LEAST_IN_SECTION)
  return [
    ...(small.length === 0 ? [] : [["Pages", small] as const]),
    ...large.map(([folder, own]) => [titles.get(folder) ?? nameOf(folder), own] as const)
  ]
    .map(([heading, own]) => `\n## ${markdownLine(heading, 80)}\n\n${own.map(({ text }) => text).join("")}`)
    .join("")
}

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
  const name = (percentDecoded(folder) ?? folder).replaceAll(/[-_]+/g, " ").trim()
  return name.charAt(0).toUpperCase() + name.slice(1)
}
