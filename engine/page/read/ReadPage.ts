import { type Answer, mediaType } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type PageTree, readTree } from "../dom/DomWalk.ts"
import { type PageReading, readHtmlPage } from "../html/HtmlPage.ts"
import { isHtml, responseFacts, type ResponseFacts } from "../ResponseFacts.ts"
import type { CodeBlock, Heading, MainContent, Page, PageFormat, PageInput, PageLink, Table } from "../Page.ts"
import { isMarkdownType, isMarkdownUrl } from "../../text/UrlPath.ts"
import { isOverlong, normalise } from "../../evidence/Address.ts"
import { collapse, nonBlankLines, upTo } from "../../text/WhiteSpace.ts"
import { knownLanguage, normaliseLanguage } from "../code/CodeLanguage.ts"
import { saysNotFound } from "../ErrorPage.ts"
import { readingLength } from "../../text/languages/Language.ts"
import { substanceOf } from "../html/MainContentReader.ts"
import { type MarkdownBlock, type MarkdownDocument, readMarkdown } from "../markdown/MarkdownReader.ts"
import { shownOperations } from "../PageOperations.ts"
import { sectionsOf } from "../html/Headings.ts"

/** Reads a page. Pure; never fails, whatever the body holds; linear in it. */
export const readPage = (input: PageInput): Page => readWithTree(input).page

/** A page and the tree that it was read from; `null` for what is no HTML. */
interface PageWithTree {
  readonly page: Page
  readonly tree: PageTree | null
}

export const readWithTree = ({ answer }: PageInput, reading: PageReading = "whole"): PageWithTree => {
  const decoded = textOf(answer)
  const format = formatOf(answer, decoded.text)
  const facts = responseFacts(answer, decoded, format)
  if (format !== "html") return { page: readMarkdownPage(facts, format === "other" ? "" : decoded.text), tree: null }
  const tree = readTree(decoded.text, reading === "whole")
  return { page: readHtmlPage(facts, tree, reading), tree }
}

/** By the body first: servers label Markdown as HTML or plain text. */
const formatOf = (answer: Answer, text: string): PageFormat => {
  const type = mediaType(answer)
  const markdown = isMarkdownType(type) || isMarkdownUrl(answer.url)
  const readable =
    type === "" || type.startsWith("text/") || type === "application/xhtml+xml" || type === "application/octet-stream"
  if (!readable || text.includes("\0".repeat(4))) return "other"
  if (isHtml(answer, text)) return "html"
  if (markdown) return "markdown"
  if (type === "text/html" || type === "application/xhtml+xml") return "html"
  return type === "text/plain" ? (looksLikeMarkdown(text) ? "markdown" : "text") : "other"
}

/** It has a heading, and a list, a link or a fence. */
const looksLikeMarkdown = (text: string): boolean => {
  const head = text.slice(0, 20_000)
  return /^#{1,6} \S/m.test(head) && /^(?:[-*+] \S|```)|\]\(\S/m.test(head)
}

const SECTION_CHARACTERS = 20_000

/** As for web pages: a section holds the texts of the headings above it, so that a few long ones would be there many times. */
const HEADING_CHARACTERS = 300
const MAX_HEADINGS = 5_000
const TITLE_CHARACTERS = 1_000

/** Reads a page that is Markdown or plain text itself: there is nothing around its content. */
const readMarkdownPage = (facts: ResponseFacts, text: string): Page => {
  const document = facts.format === "text" ? plainDocument(text) : readMarkdown(text)
  const title = document.title.slice(0, TITLE_CHARACTERS)
  const headings = document.blocks
    .filter(isTitled)
    .slice(0, MAX_HEADINGS)
    .map(({ level, text }): Heading => ({ level, text: text.slice(0, HEADING_CHARACTERS), anchor: null, inMain: true }))
  const main = contentOfDocument(document)
  const tables = tablesOf(document.blocks)
  const firstHeading = headings.find((heading) => heading.level === 1)?.text ?? ""
  return {
    ...facts,
    title,
    description: frontMatterValue(document.frontMatter, "description"),
    lang: "",
    canonical: facts.announcements.find(({ rel }) => rel.includes("canonical"))?.url ?? null,
    meta: [],
    generators: [],
    structured: { types: [] },
    main,
    beside: { isPart: false, segments: [], headings: [], code: [] },
    visibleCharacters: main.characters,
    kept: { characters: text.length, bytes: facts.bytes, content: text.length, contentEnd: text.length },
    substance: substanceOf(main, hasFollowedHeading(document.blocks), false),
    headings,
    sections: cutSections(document.blocks),
    links: linksOf(document, facts.url),
    isFrameMenu: false,
    overlongLinks: document.links.filter(({ href }) => isOverlong(href)).length,
    textCut: document.cut,
    codeBlocks: codeBlocksOf(document.blocks),
    tables,
    definitions: [],
    operations: shownOperations(main.segments, tables),
    times: [],
    modified: null,
    redirect: null,
    saysNotFound: saysNotFound({ title, heading: firstHeading, text: main.text }),
    loginWall: false,
    challenge: null,
    hashRouting: false,
    versionLinks: null,
    controls: { copyMarkdown: false, viewMarkdown: [], assistants: [] },
    sourceLinks: [],
    viewers: [],
    hiddenInstructions: document.hiddenInstructions
  }
}

const plainDocument = (text: string): MarkdownDocument => ({
  title: "",
  frontMatter: "",
  blocks: text
    .split(/\n\s*\n/)
    .slice(0, 50_000)
    .flatMap((block): ReadonlyArray<MarkdownBlock> => {
      const paragraph = collapse(block)
      return paragraph === "" ? [] : [{ kind: "paragraph", text: paragraph }]
    }),
  links: [],
  unclosedFences: 0,
  hiddenInstructions: [],
  cut: false
})

const textsOfBlock = (block: MarkdownBlock): ReadonlyArray<string> =>
  (block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text])
    .map(collapse)
    .filter((text) => text !== "")

const contentOfDocument = (document: MarkdownDocument): MainContent => {
  const segments = document.blocks.flatMap(textsOfBlock)
  const text = segments.join("\n")
  return {
    container: "document",
    text: text.slice(0, 1_000_000),
    characters: text.length,
    offset: 0,
    segments: segments.slice(0, 20_000)
  }
}

const hasFollowedHeading = (blocks: ReadonlyArray<MarkdownBlock>): boolean =>
  blocks.some((block, index) => {
    const next = blocks[index + 1]
    return (
      block.kind === "heading" &&
      next !== undefined &&
      next.kind !== "heading" &&
      readingLength(textsOfBlock(next).join(" ")) >= 20
    )
  })

const frontMatterValue = (frontMatter: string, key: string): string => {
  const line = frontMatter.split("\n").find((candidate) => candidate.startsWith(`${key}:`)) ?? ""
  return collapse(line.slice(key.length + 1)).replace(/^(["'])(.*)\1$/, "$2")
}

/** For each block the index of its section; headings beyond `MAX_HEADINGS` begin none. */
const sectionIndices = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<number> => {
  let section = 0
  return blocks.map((block) => (isTitled(block) && section < MAX_HEADINGS ? ++section : section))
}

const isTitled = (block: MarkdownBlock): block is MarkdownBlock & { readonly kind: "heading" } =>
  block.kind === "heading" && block.text !== ""

const cutSections = (blocks: ReadonlyArray<MarkdownBlock>): Page["sections"] => {
  const indices = sectionIndices(blocks)
  const texts: Array<Array<string>> = [[]]
  const headings: Array<Pick<Heading, "anchor" | "level" | "text">> = []
  blocks.forEach((block, index) => {
    if (isTitled(block) && headings.length < MAX_HEADINGS) {
      headings.push({ level: block.level, text: block.text.slice(0, HEADING_CHARACTERS), anchor: null })
      texts.push([])
    } else texts[indices[index] ?? 0]?.push(textsOfBlock(block).join("\n"))
  })
  return sectionsOf(
    headings,
    texts.map((parts) => parts.join("\n").slice(0, SECTION_CHARACTERS))
  )
}

const linksOf = (document: MarkdownDocument, url: string): ReadonlyArray<PageLink> =>
  document.links.slice(0, 5_000).flatMap(({ href, text }): ReadonlyArray<PageLink> => {
    const target = normalise(href, url)
    const hash = href.indexOf("#")
    return target === null || href === ""
      ? []
      : [{ url: target, fragment: hash < 0 ? "" : href.slice(hash + 1), text, rel: [], place: "main", seen: true }]
  })

const codeBlocksOf = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<CodeBlock> => {
  const indices = sectionIndices(blocks)
  return blocks
    .flatMap((block, index): ReadonlyArray<CodeBlock> => {
      if (block.kind !== "code" || block.text.trim() === "") return []
      const tag = upTo(block.language, "{,:")
      const language = knownLanguage(block.language) ?? normaliseLanguage(tag)
      return [
        {
          text: block.text,
          lines: nonBlankLines(block.text),
          language,
          label: null,
          section: indices[index] ?? 0,
          line: block.line,
          lineByLine: true
        }
      ]
    })
    .slice(0, 2_000)
}

const tablesOf = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<Table> => {
  const indices = sectionIndices(blocks)
  return blocks
    .flatMap((block, index): ReadonlyArray<Table> =>
      block.kind === "table"
        ? [{ caption: "", header: block.header, rows: block.rows.slice(0, 500), section: indices[index] ?? 0 }]
        : []
    )
    .slice(0, 500)
}
