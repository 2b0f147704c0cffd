import type { Token } from "markdown-it"
import { type InlineLink, markdownText, markdownTokens, readInline } from "./MarkdownInline.ts"

/** An llms.txt as text, whatever its state; of one of more than 1 000 000 characters the lines before that. */
export interface LlmsDocument {
  /** Texts of its H1s. */
  readonly titles: ReadonlyArray<string>
  /** One for each H2. Deeper headings belong to the section that contains them. */
  readonly sections: ReadonlyArray<LlmsSection>
  /** All Markdown links, those outside sections too, in order; at most 20 000. */
  readonly links: ReadonlyArray<LlmsReference>
  /** Characters (code points) of the whole text, the byte order mark left out. */
  readonly characters: number
  /** It is longer than what is read. */
  readonly cut: boolean
}

interface LlmsSection {
  /** Items that a link leads. */
  readonly linkItems: number
}

/** A link as written. */
export interface LlmsReference {
  readonly href: string
  readonly text: string
  /** It leads an item of a list; `false` for one inside a description or in running text. */
  readonly leads: boolean
  /** What follows it in its item, without the colon; empty unless `leads`. */
  readonly description: string
}

const MAX_LINKS = 20_000

/** Of an llms.txt this much is read, in characters: the longest in use have a tenth of it. */
export const LLMS_CHARACTERS = 1_000_000

/** Reads any text as llms.txt. Lines may end in CR, LF or both; a byte order mark is skipped. */
export const parseLlmsTxt = (text: string): LlmsDocument => {
  const reader = new LlmsReader()
  const beginning = markdownText(text, LLMS_CHARACTERS)
  for (const token of markdownTokens(beginning.text)) reader.take(token)
  const { titles, sections } = reader
  return {
    titles,
    sections,
    links: reader.links.slice(0, MAX_LINKS),
    characters: countCharacters(text.replace(/^\uFEFF/, "")),
    cut: beginning.cut
  }
}

/** Code points, without building an array of them. */
const countCharacters = (text: string): number => {
  let surrogatePairs = 0
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) surrogatePairs++
  return text.length - surrogatePairs
}

class LlmsReader {
  readonly titles: Array<string> = []
  readonly sections: Array<{ linkItems: number }> = []
  readonly links: Array<LlmsReference> = []
  heading: string | null = null
  /** The next run of text is the first of a list's item. */
  itemStarts = false

  take(token: Token): void {
    switch (token.type) {
      case "heading_open":
        this.heading = token.tag
        return
      case "heading_close":
        this.heading = null
        return
      case "list_item_open":
        this.itemStarts = true
        return
      case "list_item_close":
        this.itemStarts = false
        return
      case "inline":
        return this.takeInline(token)
      default:
    }
  }

  takeInline(token: Token): void {
    const { text, links } = readInline(token)
    const inItem = this.itemStarts
    this.itemStarts = false
    if (this.heading === "h1") this.titles.push(text)
    if (this.heading === "h2") this.sections.push({ linkItems: 0 })
    for (const link of links) if (!link.html) this.addLink(link, inItem && leads(link))
  }

  addLink(link: InlineLink, leads: boolean): void {
    const section = this.sections.at(-1)
    if (leads && section !== undefined) section.linkItems++
    this.links.push({
      href: link.href,
      text: link.text,
      leads,
      description: leads ? link.after.replace(/^[\s:–—-]+/u, "") : ""
    })
  }
}

/** Nothing but marks (a tick, an emoji, a bracket) precedes it in its item. */
const leads = (link: InlineLink): boolean => !/[\p{L}\p{N}]/u.test(link.before)
