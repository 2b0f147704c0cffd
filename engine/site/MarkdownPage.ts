import { isOverlong, normalise } from "../evidence/Address.ts"
import { upTo } from "../evidence/Trim.ts"
import { knownLanguage, normaliseLanguage } from "./CodeLanguage.ts"
import { codeLines } from "./CodeText.ts"
import { saysNotFound } from "./ErrorPage.ts"
import { collapse } from "./HtmlTree.ts"
import { substanceOf } from "./MainContentReader.ts"
import { type MarkdownBlock, type MarkdownDocument, readMarkdown } from "./MarkdownReader.ts"
import { shownOperations } from "./Operations.ts"
import type { CodeBlock, Heading, MainContent, Page, PageLink, Section, Table } from "./Page.ts"
import type { PageFrame } from "./PageFrame.ts"

const SECTION_CHARACTERS = 20_000

/** As for web pages: a section holds the texts of the headings above it, so that a few long ones would be there many times. */
const HEADING_CHARACTERS = 300
const MAX_HEADINGS = 5_000
const TITLE_CHARACTERS = 1_000

/** Reads a page that is Markdown or plain text itself: there is nothing around its content. */
export const readMarkdownPage = (frame: PageFrame, text: string): Page => {
  const document = frame.format === "text" ? plainDocument(text) : readMarkdown(text)
  const title = document.title.slice(0, TITLE_CHARACTERS)
  const headings = document.blocks.filter(isTitled).slice(0, MAX_HEADINGS)
    .map(({ level, text }): Heading => ({ level, text: text.slice(0, HEADING_CHARACTERS), anchor: null, inMain: true }))
  const main = contentOfDocument(document)
  const firstHeading = headings.find((heading) => heading.level === 1)?.text ?? ""
  return {
    ...frame,
    title,
    description: frontMatterValue(document.frontMatter, "description"),
    lang: "",
    canonical: frame.announcements.find(({ rel }) => rel.includes("canonical"))?.url ?? null,
    generator: "",
    structured: { types: [], jsonLd: 0, broken: 0 },
    main,
    visibleCharacters: main.characters,
    substance: substanceOf(main, hasFollowedHeading(document.blocks), false),
    headings,
    sections: sectionsOf(document.blocks),
    links: linksOf(document, frame.url),
    overlongLinks: document.links.filter(({ href }) => isOverlong(href)).length,
    textCut: document.cut,
    codeBlocks: codeBlocksOf(document.blocks),
    tables: tablesOf(document.blocks),
    definitions: [],
    operations: shownOperations(main.segments),
    times: [],
    redirect: null,
    saysNotFound: saysNotFound({ title, heading: firstHeading, text: main.text }),
    loginWall: false,
    challenge: null,
    hashRouting: false,
    versionSelector: false,
    controls: { copyMarkdown: false, viewMarkdown: [], assistants: [] },
    sourceLinks: [],
    viewers: []
  }
}

const plainDocument = (text: string): MarkdownDocument => ({
  title: "",
  frontMatter: "",
  blocks: text.split(/\n\s*\n/).slice(0, 50_000).flatMap((block): ReadonlyArray<MarkdownBlock> => {
    const paragraph = collapse(block)
    return paragraph === "" ? [] : [{ kind: "paragraph", text: paragraph, depth: 0, quoted: false }]
  }),
  links: [],
  unclosedFences: 0,
  cut: false
})

const textsOfBlock = (block: MarkdownBlock): ReadonlyArray<string> =>
  (block.kind === "table" ? [block.header, ...block.rows].flat() : [block.text]).map(collapse).filter((text) => text !== "")

const contentOfDocument = (document: MarkdownDocument): MainContent => {
  const segments = document.blocks.flatMap(textsOfBlock)
  const text = segments.join("\n")
  return { container: "document", text: text.slice(0, 1_000_000), characters: text.length, offset: 0, segments: segments.slice(0, 20_000) }
}

const hasFollowedHeading = (blocks: ReadonlyArray<MarkdownBlock>): boolean =>
  blocks.some((block, index) => {
    const next = blocks[index + 1]
    return block.kind === "heading" && next !== undefined && next.kind !== "heading" && textsOfBlock(next).join(" ").length >= 20
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

const isTitled = (block: MarkdownBlock): block is MarkdownBlock & { readonly kind: "heading" } => block.kind === "heading" && block.text !== ""

const sectionsOf = (blocks: ReadonlyArray<MarkdownBlock>): readonly [Section, ...ReadonlyArray<Section>] => {
  const indices = sectionIndices(blocks)
  const texts: Array<Array<string>> = [[]]
  const open: Array<{ readonly level: number; readonly text: string }> = []
  const sections: Array<Omit<Section, "text">> = []
  blocks.forEach((block, index) => {
    if (!isTitled(block) || sections.length === MAX_HEADINGS) {
      texts[indices[index] ?? 0]?.push(textsOfBlock(block).join("\n"))
      return
    }
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= block.level) open.pop()
    const heading = block.text.slice(0, HEADING_CHARACTERS)
    sections.push({ heading, level: block.level, anchor: null, path: open.map((above) => above.text) })
    open.push({ level: block.level, text: heading })
    texts.push([])
  })
  const textAt = (index: number): string => (texts[index] ?? []).join("\n").slice(0, SECTION_CHARACTERS)
  return [
    { heading: "", level: 0, anchor: null, path: [], text: textAt(0) },
    ...sections.map((section, index) => ({ ...section, text: textAt(index + 1) }))
  ]
}

const linksOf = (document: MarkdownDocument, url: string): ReadonlyArray<PageLink> =>
  document.links.slice(0, 5_000).flatMap(({ href, text }): ReadonlyArray<PageLink> => {
    const target = normalise(href, url)
    const hash = href.indexOf("#")
    return target === null || href === "" ? [] : [{ url: target, fragment: hash < 0 ? "" : href.slice(hash + 1), text, rel: [], place: "main" }]
  })

const codeBlocksOf = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<CodeBlock> => {
  const indices = sectionIndices(blocks)
  return blocks.flatMap((block, index): ReadonlyArray<CodeBlock> => {
    if (block.kind !== "code" || block.text.trim() === "") return []
    const tag = upTo(block.language, "{,:")
    const language = knownLanguage(block.language) ?? normaliseLanguage(tag)
    return [{ text: block.text, lines: codeLines(block.text), language, label: null, section: indices[index] ?? 0 }]
  }).slice(0, 2_000)
}

const tablesOf = (blocks: ReadonlyArray<MarkdownBlock>): ReadonlyArray<Table> => {
  const indices = sectionIndices(blocks)
  return blocks.flatMap((block, index): ReadonlyArray<Table> =>
    block.kind === "table"
      ? [{ caption: "", header: block.header, rows: block.rows.slice(0, 500), section: indices[index] ?? 0 }]
      : []
  ).slice(0, 500)
}
