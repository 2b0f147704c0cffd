import { type Answer, mediaType } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { elementsById, readTree } from "../dom/DomWalk.ts"
import { baseOf } from "../html/PageLinks.ts"
import { chooseContent } from "../html/MainContentReader.ts"
import { plainText } from "../../text/PlainText.ts"
import { contentTree } from "./ContentTree.ts"
import { type HtmlNode, withoutMarks, writeMarkdown } from "./HtmlNodes.ts"

/** How an agent's fetch tool turns an HTML page into what its model reads. */
export type AgentConversion =
  /** The whole page as Markdown, navigation included. */
  | "markdown"
  /** The main content alone, as Markdown. */
  | "article"
  /** The text of the whole page, without the URLs of its links. */
  | "text"

/** What a fetch tool does with an answer. */
export interface AgentPipeline {
  /** Of HTML only; `null`: it is left as it is. */
  readonly converts: AgentConversion | null
  /** Characters that the model is given at most; `null`: all. */
  readonly keeps: number | null
}

/** What a model is given of an answer. */
export interface AgentReading {
  /** Characters (UTF-16) after conversion. */
  readonly characters: number
  /** Of these, the ones that the model is given. */
  readonly given: number
  /** The last sentence that it is given, or the end of it, on one line; empty where there is none. */
  readonly ends: string
}

/**
 * What a model is given of an answer. The conversion is our own, in place of each tool's. `null`: the answer is no text, or longer than
 * what is read of one.
 */
export const readAsAgent = (answer: Answer, { converts, keeps }: AgentPipeline): AgentReading | null => {
  const type = mediaType(answer)
  if (answer.cut || !TEXTUAL.test(type)) return null
  const decoded = textOf(answer).text
  const text = converts === null || !isMarkup(type, decoded) ? decoded : converted(decoded, answer.url, converts)
  if (text === null) return null
  const given = keeps === null ? text : text.slice(0, keeps)
  return { characters: text.length, given: given.length, ends: lastSentence(given) }
}

const TEXTUAL = /^$|^text\/|[/+](?:json|xml|yaml)$|^application\/(?:javascript|x-yaml)$/

/** Tools go by the media type, and by the first tag where there is none. */
const isMarkup = (type: string, text: string): boolean =>
  type === "text/html" ||
  type === "application/xhtml+xml" ||
  (type === "" && /^\s{0,100}<(?:!doctype|html)/i.test(text))

/** `null`: it has more elements than are read of a page. */
const converted = (source: string, url: string, converts: AgentConversion): string | null => {
  const tree = readTree(source)
  if (tree.isCut) return null
  const nodes = contentTree({
    content: converts === "article" ? (chooseContent(tree.walk).container.element ?? tree.document) : tree.document,
    base: baseOf(tree.walk, url),
    byId: elementsById(tree.walk),
    whole: converts !== "article"
  })
  return converts === "text" ? linesOf(nodes).join("").replaceAll(/\n+/g, "\n").trim() : writeMarkdown(nodes)
}

/** Texts as they are, blocks and line breaks on lines of their own. */
const linesOf = (nodes: ReadonlyArray<HtmlNode>): Array<string> => {
  const parts: Array<string> = []
  const gather = (child: HtmlNode): void => {
    if ("text" in child) parts.push(withoutMarks(child.text).replaceAll(/\s+/g, " "))
    else {
      const apart = LINES.has(child.name)
      if (apart) parts.push("\n")
      child.children.forEach(gather)
      if (apart) parts.push("\n")
    }
  }
  nodes.forEach(gather)
  return parts
}

const LINES = new Set("p div blockquote ul ol li h1 h2 h3 h4 h5 h6 pre table tr br".split(" "))

/** How much of the end is looked at for a sentence, and the longest that is reported, in characters. */
const TAIL = 600
const LONGEST = 200

const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n/gu

/** The last sentence of a text that may have been cut anywhere; of a long one its end. */
export const lastSentence = (text: string): string => {
  const tail = text.slice(-TAIL).trimEnd()
  const starts = [...tail.matchAll(SENTENCE_END)].map(({ 0: mark, index }) => index + mark.length)
  const start = starts.findLast((at) => tail.slice(at).trim() !== "") ?? 0
  const sentence = plainText(tail.slice(start), TAIL)
  return sentence.length <= LONGEST ? sentence : `…${sentence.slice(1 - LONGEST).trimStart()}`
}
