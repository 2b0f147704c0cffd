import { type Token, TokenizerMode } from "parse5"
import { BoundedTokenizer } from "../../engine/page/dom/HtmlParser.ts"

/**
 * The contents of the `<meta>` elements of that name in the `<head>` of a page. Its tags are read as browsers do, because text that looks like a tag
 * may be data that other people wrote: in a script, a title or an attribute. Only tags are read, in linear time and without a tree, because
 * this runs in the thread that serves HTTP.
 */
export const metaContents = (html: string, name: string): ReadonlySet<string> => {
  const head = new HeadReader(name)
  const tokenizer: BoundedTokenizer = new BoundedTokenizer(
    {},
    {
      onStartTag: (tag) => {
        const mode = head.open(tag)
        if (mode !== null) tokenizer.state = mode
        stopIfOver()
      },
      onEndTag: ({ tagName }) => {
        head.close(tagName)
        stopIfOver()
      },
      onCharacter: () => {
        head.text()
        stopIfOver()
      },
      onNullCharacter: () => undefined,
      onWhitespaceCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined
    }
  )
  const stopIfOver = (): void => {
    if (head.isOver) tokenizer.pause()
  }
  tokenizer.write(html, true)
  return head.contents
}

/** Elements of a head whose content is text, and how it is read. */
const TEXTS: ReadonlyMap<string, Tokenizing> = new Map([
  ["title", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ...["style", "noscript", "noframes"].map((name) => [name, TokenizerMode.RAWTEXT] as const)
])

type Tokenizing = BoundedTokenizer["state"]

/** Other start tags that do not begin the body. */
const OF_HEAD: ReadonlySet<string> = new Set(["html", "head", "meta", "link", "base", "basefont", "bgsound"])

/** End tags that end the head; others that nothing opened are ignored. */
const ENDS: ReadonlySet<string> = new Set(["head", "body", "html", "br"])

/** Follows the tags of a page until its head ends. */
class HeadReader {
  readonly contents = new Set<string>()
  isOver = false
  /** The element that is open and has text only. */
  #textOf: string | null = null
  /** How many `<template>` are open: what they hold is no part of the page. */
  #templates = 0
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** How what follows the tag is read; `null`: as tags. */
  open(tag: Token.TagToken): Tokenizing | null {
    // The text before a tag comes together with it.
    if (this.isOver) return null
    const mode = TEXTS.get(tag.tagName) ?? null
    if (mode !== null) this.#textOf = tag.tagName
    else if (tag.tagName === "template") this.#templates += 1
    else if (this.#templates === 0 && !OF_HEAD.has(tag.tagName)) this.isOver = true
    else if (this.#templates === 0) this.#read(tag)
    return mode
  }

  close(name: string): void {
    if (name === this.#textOf) this.#textOf = null
    else if (name === "template") this.#templates = Math.max(0, this.#templates - 1)
    else if (this.#templates === 0 && ENDS.has(name)) this.isOver = true
  }

  text(): void {
    if (this.#textOf === null && this.#templates === 0) this.isOver = true
  }

  #read({ attrs, tagName }: Token.TagToken): void {
    const valueOf = (wanted: string): string | undefined => attrs.find(({ name }) => name === wanted)?.value.trim()
    const content = valueOf("content")
    if (tagName === "meta" && valueOf("name") === this.#name && content !== undefined) this.contents.add(content)
  }
}
