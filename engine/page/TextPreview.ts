import { Parser } from "htmlparser2"
import { collapse, collapseLines } from "../text/WhiteSpace.ts"

/** What a reader sees first of a document. Texts have their white space collapsed; blocks are separated by newlines. */
export interface TextPreview {
  /** Of the document; empty where there is none. */
  readonly title: string
  /** The first H1; empty where there is none. */
  readonly heading: string
  /** Its text without navigation; the heading may be part of it. */
  readonly text: string
}

/** Of a long document this much is read, in characters. */
const PREVIEW_CHARACTERS = 100_000

/** Nothing deeper than this is read: the parser's time grows with the square of the depth. */
const PREVIEW_DEPTH = 500

const CHUNK = 16_384

const UNSEEN = new Set("title script style template noscript svg nav header footer aside head select iframe".split(" "))

const BLOCKS = new Set("p div h1 h2 h3 h4 h5 h6 li ul ol section article main td tr br".split(" "))

/** Of plain text or Markdown: the first H1 and the lines, heading marks left out. */
export const previewOfText = (text: string): TextPreview => {
  const beginning = text.slice(0, PREVIEW_CHARACTERS)
  const heading = /^#[ \t]+(\S[^\n]{0,300})/m.exec(beginning)?.[1] ?? ""
  return { title: "", heading: collapse(heading), text: collapseLines(beginning.replace(/^#+[ \t]+/gm, "")) }
}

/**
 * Of a web page: title, first H1 and visible text without navigation, by a scan that builds no tree. What comes after
 * `enough` characters of text may be left out.
 */
export const previewOfHtml = (html: string, enough = Number.POSITIVE_INFINITY): TextPreview => {
  const parts = { title: "", heading: "", text: "" }
  const open: Array<string> = []
  let unseen = 0
  let titles = 0
  let headings = 0
  const parser = new Parser({
    onopentagname: (name) => {
      if (open.length >= PREVIEW_DEPTH) return
      open.push(name)
      if (UNSEEN.has(name)) unseen++
      if (name === "title") titles++
      if (name === "h1") headings++
    },
    ontext: (data) => {
      if (titles === 1 && open.at(-1) === "title") parts.title += data
      if (headings === 1 && open.includes("h1")) parts.heading += data
      if (unseen === 0) parts.text += ` ${data}`
    },
    onclosetag: (name) => {
      const at = open.lastIndexOf(name)
      if (at < 0) return
      unseen -= open.splice(at).filter((closed) => UNSEEN.has(closed)).length
      if (BLOCKS.has(name)) parts.text += "\n"
    }
  })
  const end = Math.min(html.length, PREVIEW_CHARACTERS)
  let read = 0
  for (let at = 0; at < end && open.length < PREVIEW_DEPTH && read <= enough; at += CHUNK) {
    const before = parts.text.length
    parser.write(html.slice(at, Math.min(at + CHUNK, end)))
    read += collapseLines(parts.text.slice(before)).length
  }
  parser.end()
  return { title: collapse(parts.title), heading: collapse(parts.heading), text: collapseLines(parts.text) }
}
