import { below, pageKey } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type LlmsDocument, parseLlmsTxt } from "../../page/markdown/LlmsDocument.ts"
import {
  filePathOf,
  type GeneratedFile,
  NOTHING,
  notWritten,
  onlyFile,
  together,
  whyNotCompleted,
  type Written
} from "../site/GeneratedFile.ts"
import { described, descriptionOf } from "../site/PageSentences.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import type { LlmsFile } from "../../site/wellknown/LlmsTxt.ts"
import { isMarkdownUrl } from "../../text/UrlPath.ts"
import type { WritablePlugin } from "../site/WritablePlugins.ts"
import { publishedSpec } from "./ApiCatalogFile.ts"
import { markdownLine, markdownLink, type Repaired, repairRemark, withLinksRepaired } from "./Links.ts"
import { LEAST_LINKS, type Line, linesOf, type LlmsPart, sectionsOf, sectionText } from "./LlmsLines.ts"
import { grouped } from "../../plugin/Wording.ts"

/** A longer file is not written, in characters. */
const MOST_CHARACTERS = 50_000

/** What one request of an agent's tool returns, in characters: a longer file does not get full points. */
const READ_AT_ONCE = 20_000

/** More pages than these are listed in a file for each section, and so are those of a file that would be longer than is read at once. */
const MOST_IN_ONE = 150

/** A section of fewer pages has no file of its own. */
const LEAST_IN_FILE = 5

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
  const completion = completionOf(repaired, file.document, site, pages, extras)
  const completed = completion?.text ?? (repaired.links === 0 ? null : repaired.text)
  const refusal = completed === null ? null : whyNotCompleted(file.answer)
  if (refusal !== null)
    return together([notWritten("a1-llms-txt", `llms.txt ${refusal}`, [file.url]), leftOver(file.document, file.url)])
  return completed === null
    ? together([leftOver(file.document, file.url), ownOption(text, extras.dead, file.url)])
    : together([
        publish(
          file.url,
          completed,
          text,
          pluginsOf(extras),
          remarkOn(repaired, completed !== repaired.text, deadIn(file, repaired, extras.dead))
        ),
        sectionsPublished(completion?.files ?? [], extras),
        ownOption(text, extras.dead, file.url),
        leftOver(parseLlmsTxt(completed), file.url)
      ])
}

/** What was done about dead links, as sentences. */
const remarkOn = (repaired: Repaired, isCompleted: boolean, left: number): Pick<GeneratedFile, "remark"> => {
  const sentences = [
    ...(repaired.links === 0 ? [] : [repairRemark(repaired.links)]),
    ...(left === 0 ? [] : [deadRemark(left)]),
    ...(left === 0 || !isCompleted ? [] : ["What the file lacks is added at its end."])
  ]
  return sentences.length === 0 ? {} : { remark: sentences.join(" ") }
}

const deadRemark = (links: number): string =>
  links === 1
    ? "1 dead link is left: no page was found for it. Remove or correct it."
    : `${grouped(links)} dead links are left: no pages were found for them. Remove or correct them.`

/** What docusaurus-plugin-llms writes into each file. */
const BY_PLUGIN = /docusaurus-plugin-llms|links to documentation sections following the llmstxt\.org standard/i

/** The option of the owner's plugin that repairs its links, where they are dead. */
const ownOption = (text: string, dead: ReadonlySet<string>, url: string): Written =>
  BY_PLUGIN.test(text) && [...dead].some(isMarkdownUrl)
    ? notWritten(
        "a1-llms-txt",
        "docusaurus-plugin-llms wrote this file, and the Markdown files that it names are missing there: it writes them one folder deeper (/docs/docs/…). Set its option preserveDirectoryStructure to false, and build again.",
        [url]
      )
    : NOTHING

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
  const { files, text } = shared(
    site,
    pages.title,
    lines,
    extras,
    (kept, files) => `${head}${listed(kept, files)}${beside}`
  )
  if (!isSound(text))
    return notWritten(
      "a1-llms-txt",
      "We found fewer than three pages, so llms.txt would have too few links. Link the pages from the start page.",
      [site.base.url]
    )
  return together([
    publish(below(site.base.folder, "llms.txt"), text, null, pluginsOf(extras)),
    sectionsPublished(files, extras)
  ])
}

const sectionsPublished = (files: ReadonlyArray<SectionFile>, extras: LlmsExtras): Written =>
  together(files.map(({ text, url }) => publish(url, text, null, pluginsOf(extras))))

/** A text, and the files of sections that it names instead of their pages. */
interface Shared {
  readonly text: string
  readonly files: ReadonlyArray<SectionFile>
}

/** Gives sections files of their own: all that can have one where there are many pages, else the largest, until the text is read at once. */
const shared = (
  site: PublishedSite,
  title: string,
  lines: ReadonlyArray<Line>,
  extras: LlmsExtras,
  textOf: (lines: ReadonlyArray<Line>, files: ReadonlyArray<SectionFile>) => string
): Shared => {
  const rootOf = (files: ReadonlyArray<SectionFile>): string => fitted(lines, (kept) => textOf(kept, files))
  const whole = rootOf([])
  if (lines.length <= MOST_IN_ONE && characters(whole) <= READ_AT_ONCE) return { text: whole, files: [] }
  const all = sectionFiles(site, title, sectionsOf(lines), extras)
  const largest = all.toSorted((one, other) => other.pages - one.pages)
  const enough =
    lines.length > MOST_IN_ONE
      ? -1
      : largest.findIndex((_, last) => characters(rootOf(largest.slice(0, last + 1))) <= READ_AT_ONCE)
  const moved = new Set(enough === -1 ? all : largest.slice(0, enough + 1))
  const files = all.filter((file) => moved.has(file))
  const text = rootOf(files)
  // Where one section has nearly all pages, a root that names its file would have too few links.
  return isSound(text) ? { text, files } : { text: whole, files: [] }
}

const isSound = (text: string): boolean => {
  const { characters, links, sections, titles } = parseLlmsTxt(text)
  return (
    titles.length === 1 &&
    sections.some(({ linkItems }) => linkItems > 0) &&
    links.filter(({ leads }) => leads).length >= LEAST_LINKS &&
    characters <= MOST_CHARACTERS
  )
}

interface SectionFile {
  readonly heading: string
  readonly url: string
  readonly text: string
  readonly pages: number
}

/** A file for each large section, nearest to its pages: in the folder that all of them are in, else in one named after the section. */
const sectionFiles = (
  { base, llmsTxt }: PublishedSite,
  title: string,
  sections: ReadonlyArray<LlmsPart>,
  extras: LlmsExtras
): ReadonlyArray<SectionFile> => {
  const taken = new Set([below(base.folder, "llms.txt"), ...llmsTxt.candidates.map(({ url }) => url)])
  return sections.flatMap(({ heading, kind, lines }) => {
    const folder = sharedFolder(lines) || slugOf(heading)
    const url = below(base.folder, `${folder}/llms.txt`)
    if (kind !== "part" || lines.length < LEAST_IN_FILE || folder === "" || taken.has(url) || !extras.pages) return []
    taken.add(url)
    const head = `# ${markdownLine(`${title}: ${heading}`, 150)}\n`
    const text = fitted(lines, (kept) => `${head}${sectionText({ heading: "Pages", kind, lines: kept })}`)
    return [{ heading, url, text, pages: lines.length }]
  })
}

const sharedFolder = (lines: ReadonlyArray<Line>): string => {
  const [first = []] = lines.map(({ path }) => path)
  const different = first.findIndex((segment, at) =>
    lines.some(({ path }) => path[at] !== segment || path.length === at + 1)
  )
  return first.slice(0, Math.max(0, different)).join("/")
}

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

/** The pages in their sections: those that have a file of their own by that. */
const listed = (lines: ReadonlyArray<Line>, files: ReadonlyArray<SectionFile>): string => {
  const inFile = new Set(files.map(({ heading }) => heading))
  const sections = sectionsOf(lines).filter(({ heading, kind }) => kind !== "part" || !inFile.has(heading))
  const index =
    files.length === 0
      ? ""
      : `\n## Sections\n\n${files.map(({ heading, pages, url }) => `- ${markdownLink(heading, url)}: ${grouped(pages)} pages\n`).join("")}`
  const last = sections.filter(({ kind }) => kind === "aside")
  return [
    ...sections.filter(({ kind }) => kind === "pages").map(sectionText),
    index,
    ...sections.filter(({ kind }) => kind === "part").map(sectionText),
    ...last.map(sectionText)
  ].join("")
}

/** The base page's description, or a sentence of it that names the product. */
const summaryOf = ({ base, productNames }: PublishedSite, { opened, title }: SitePages): string => {
  const markdown = opened.find(({ url }) => url === base.url)?.markdown?.text ?? null
  const shared = {
    templates: new Set<string>(),
    descriptions: new Set<string>(),
    titles: new Set([title, ...productNames])
  }
  const summary = base.page === null ? "" : descriptionOf(described(base.page, markdown), shared, true)
  return summary === "" ? "" : `\n> ${markdownLine(summary, 300)}\n`
}

/** Adds what is missing: a title before, pages and the API description after what is there. */
const completionOf = (
  repaired: Repaired,
  document: LlmsDocument,
  site: PublishedSite,
  pages: SitePages,
  extras: LlmsExtras
): Shared | null => {
  const title =
    extras.pages && document.titles.length === 0 && pages.title !== "" ? `# ${markdownLine(pages.title, 150)}\n\n` : ""
  const leading = document.links.filter(({ leads }) => leads).length
  const isDead = isMostlyDead(site.llmsTxt.file, repaired, extras.dead)
  const lacksLinks =
    extras.pages && (leading < LEAST_LINKS || !document.sections.some(({ linkItems }) => linkItems > 0) || isDead)
  const there = new Set(
    [...(site.llmsTxt.file?.links ?? []).flatMap(({ url }) => url ?? []), ...repaired.pages].map(pageKey)
  )
  const missing = lacksLinks
    ? linesOf(site, pages).filter(({ page, url }) => !there.has(pageKey(url)) && !there.has(pageKey(page)))
    : []
  const spec = extras.spec === null || there.has(pageKey(extras.spec.url)) ? "" : specSection(extras.spec)
  const body = repaired.text.replace(/^\uFEFF/, "").trimEnd()
  const textOf = (kept: ReadonlyArray<Line>, files: ReadonlyArray<SectionFile>): string =>
    `${title}${body}\n${listed(kept, files)}${spec}`
  // Beside dead links that stay, the file itself has to lead to more pages than these.
  const completed = isDead
    ? { text: fitted(missing, (kept) => textOf(kept, [])), files: [] }
    : shared(site, pages.title, missing, extras, textOf)
  // A file that is too long takes no link.
  return completed.text === `${body}\n` ? null : completed
}

/** As many links A1 checks. */
const CHECKED = 15

/** Links that lead nowhere and that no page was found for. */
const deadIn = (file: LlmsFile | null, repaired: Repaired, dead: ReadonlySet<string>): number =>
  Math.max(
    0,
    new Set((file?.links ?? []).flatMap(({ url }) => (url !== null && dead.has(url) ? [url] : []))).size -
      repaired.links
  )

/** Whether half or more of the links that were checked lead nowhere. */
const isMostlyDead = (file: LlmsFile | null, repaired: Repaired, dead: ReadonlySet<string>): boolean => {
  const count = deadIn(file, repaired, dead)
  const links = (file?.links ?? []).filter(({ leads, onSite }) => leads && onSite).length
  return count > 0 && count * 2 >= Math.min(CHECKED, links)
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
