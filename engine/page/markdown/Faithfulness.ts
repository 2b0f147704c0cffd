import { normalise } from "../../evidence/Address.ts"
import { withoutPageEnding } from "../../text/UrlPath.ts"
import { collapse, trimTrailingSlashes, upTo } from "../../text/WhiteSpace.ts"
import type { Page } from "../Page.ts"
import { type MarkdownDocument, textsOf } from "./MarkdownReader.ts"
import { fold, parity } from "./TextParity.ts"

/** Different things of one kind that a page has outside its navigation, and those of them that its Markdown lacks. */
interface Kept {
  readonly total: number
  /** As the page has them. */
  readonly missing: ReadonlyArray<string>
}

/** What of a page is in its Markdown version. */
export interface Faithfulness {
  /** Blocks of text. */
  readonly segments: Kept
  /** Lines of code: those that stick together are missing. */
  readonly code: Kept
  /** Headings of levels 1 to 4: deeper ones are labels of boxes and tabs. */
  readonly headings: Kept
  /** URLs that links lead to, on the site and off it. */
  readonly targets: Kept
}

/** A Markdown version of a page. */
export interface VersionText {
  /** The URL that returned it. */
  readonly url: string
  readonly text: string
  readonly document: MarkdownDocument
}

/** Resolves a link; `null` for what is no URL. */
type Resolve = (href: string, from: string) => string | null

/**
 * Compares a page with its Markdown, by all of the page's text outside navigation, whatever part of it was taken for the main content.
 *
 * @param least the shortest segment of text that is compared, in characters
 */
export const faithfulness = (
  page: Page,
  markdown: VersionText,
  least: number,
  resolve: Resolve = normalise
): Faithfulness => {
  const { document } = markdown
  const text = parity(
    [...page.main.segments, ...page.beside.segments],
    [document.title, document.frontMatter, ...textsOf(document), ...namesInMarkup(markdown.text)],
    least
  )
  return {
    segments: { total: text.segments, missing: text.missing },
    code: codeKept(page, markdown),
    headings: headingsKept(page, markdown),
    targets: targetsKept(page, markdown, resolve)
  }
}

/** A prompt, or the number of a line, before code. */
const BEFORE_CODE = /^\s{0,200}(?:(?:\d{1,5}[.:|]?\s|[$>%]\s|>>>\s|\.\.\.\s)\s{0,20})?/

const codeForm = (line: string): string =>
  line
    .replace(BEFORE_CODE, "")
    .normalize("NFKC")
    .replaceAll(/[\s\u00AD\u200B]+/g, "")

/** Lines of fewer characters (brackets, `end`) tell nothing. */
const LEAST_CODE = 4

/** How many lines, and how long ones, are looked for as several lines of the Markdown: those of blocks whose line breaks we cannot see. */
const MAX_JOINED = 50
const LONGEST_JOINED = 2_000

/** A text is compared up to here, in characters. */
const COMPARED_CHARACTERS = 500_000

const codeKept = (page: Page, { document, text: source }: VersionText): Kept => {
  const wanted = new Map(
    [...page.codeBlocks.map(({ text }) => text), ...page.beside.code]
      .join("\n")
      .slice(0, COMPARED_CHARACTERS)
      .split("\n")
      .map((line) => [codeForm(line), line.trim()] as const)
      .filter(([form]) => form.length >= LEAST_CODE)
  )
  if (wanted.size === 0) return { total: 0, missing: [] }
  const blocks = textsOf(document).map((text) => text.split("\n").map(codeForm))
  const lines = new Set([...blocks.flat(), ...linesOfCells(source)])
  const without = [...wanted].filter(([form]) => !lines.has(form))
  if (without.length === 0) return { total: wanted.size, missing: [] }
  const joined = joinedLines(blocks)
  return {
    total: wanted.size,
    missing: without.filter(([form], index) => index >= MAX_JOINED || !joined(form)).map(([, line]) => line)
  }
}

/** A cell of a table has a span of code for each line, with breaks between them. */
const linesOfCells = (source: string): ReadonlyArray<string> =>
  source.includes("<br")
    ? source
        .split("\n")
        .filter((line) => line.includes("<br"))
        .flatMap((line) => line.replaceAll("\\|", "|").split(/<br ?\/?>|\|/))
        .map((part) => codeForm(part.trim().replace(/^`{1,3}|`{1,3}$/g, "")))
    : []

/** Whether a text is several lines of a block, one after the other and whole: the page's own line breaks may be made by a style sheet. */
const joinedLines = (blocks: ReadonlyArray<ReadonlyArray<string>>): ((form: string) => boolean) => {
  const starts = new Set<number>()
  let length = 0
  const parts: Array<string> = []
  for (const part of blocks.flatMap((lines) => [...lines, "\n"])) {
    starts.add(length)
    parts.push(part)
    length += part.length
  }
  const whole = parts.join("")
  return (form) => {
    if (form.length > LONGEST_JOINED) return false
    for (const at of starts) if (starts.has(at + form.length) && whole.startsWith(form, at)) return true
    return false
  }
}

const DEEPEST = 4

/** Numbers of sections, which style sheets and generators add. */
const SECTION_NUMBER = /^\s{0,9}\d{1,4}(?:\.\d{1,4}){0,5}[.)]?\s+/

const headingForm = (text: string): string => fold(text.replace(SECTION_NUMBER, ""))

const headingsKept = (page: Page, { document, text }: VersionText): Kept => {
  const wanted = new Map(
    [
      ...page.headings.filter(({ inMain, level }) => inMain && level <= DEEPEST).map((heading) => heading.text),
      ...page.beside.headings
    ]
      .map((heading) => [headingForm(heading), heading] as const)
      .filter(([form]) => form !== "")
  )
  const there = new Set(
    [
      document.title,
      ...document.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : [])),
      ...namesInMarkup(text)
    ].map(headingForm)
  )
  // References head their entries with signatures in one version and with names in the other.
  const isThere = (form: string, heading: string): boolean =>
    there.has(form) || there.has(headingForm(upTo(heading, "(")))
  return {
    total: wanted.size,
    missing: [...wanted].filter(([form, heading]) => !isThere(form, heading)).map(([, heading]) => heading)
  }
}

const targetsKept = (page: Page, markdown: VersionText, resolve: Resolve): Kept => {
  const furniture = new Set([...page.sourceLinks, ...page.controls.viewMarkdown].map(targetForm))
  const own = targetForm(page.url)
  const wanted = new Map(
    page.links
      .filter(({ place, text }) => (place === "main" || (place === "other" && page.beside.isPart)) && text !== "")
      .map(({ url }) => [targetForm(url), url] as const)
      .filter(([form]) => form !== own && !furniture.has(form))
  )
  if (wanted.size === 0) return { total: 0, missing: [] }
  const there = targetsOf(page, markdown, resolve)
  return { total: wanted.size, missing: [...wanted].filter(([form]) => !there.has(form)).map(([, url]) => url) }
}

const BARE_URL = /https?:\/\/[^\s<>"'`()[\]{}|\\]{1,2000}/g

/**
 * The forms of the URLs that a Markdown version names, in links or in its text. A relative link counts if it is one of the file's or
 * of the page's; a link to the page's site counts whichever host has it, since previews and copies name the published one.
 */
export const targetsOf = (page: Page, { document, text, url }: VersionText, resolve: Resolve): ReadonlySet<string> => {
  const written = new Set([
    ...document.links.map(({ href }) => href),
    ...[...text.slice(0, COMPARED_CHARACTERS).matchAll(BARE_URL)].map(([match]) =>
      match.replace(/[.,;:!?*_]{1,3}$/, "")
    )
  ])
  const resolved = new Set(
    [...written].flatMap((href) => [resolve(href, url), resolve(href, page.url)]).filter((one) => one !== null)
  )
  const { host } = new URL(page.url)
  return new Set(
    [...resolved].flatMap((target) => {
      const parsed = new URL(target)
      parsed.host = host
      return [targetForm(target), targetForm(parsed.href)]
    })
  )
}

/** What the URLs of a page and of its Markdown version have in common. */
export const targetForm = (url: string): string => {
  const { host, pathname, search } = new URL(url)
  const path = withoutPageEnding(pathname).replace(/\/(?:index|readme)$/i, "/")
  return `${host.replace(/^www\./, "")}${trimTrailingSlashes(path)}${search}`
}

/** A heading in HTML, and the attribute by which a component (a card, a step, a tab) is called. Every part is bounded. */
const HTML_HEADING = /<h[1-6](?:\s[^<>]{0,300})?>([^<>]{1,300})</gi
const COMPONENT =
  /<[A-Z]\w{0,40}\s[^<>]{0,300}?\b(?:title|label|header|heading|name)\s{0,3}=\s{0,3}(?:"([^"<>]{1,300})"|'([^'<>]{1,300})')/g

/** Names that are written as markup in a Markdown text: headings in HTML, and titles of components. */
const namesInMarkup = (markdown: string): ReadonlyArray<string> =>
  markdown.includes("<")
    ? [...markdown.matchAll(HTML_HEADING), ...markdown.matchAll(COMPONENT)]
        .map((match) => collapse(match[1] ?? match[2] ?? ""))
        .filter((name) => name !== "")
    : []
