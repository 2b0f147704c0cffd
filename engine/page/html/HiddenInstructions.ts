import { isComment } from "domhandler"
import { collapse } from "../../text/WhiteSpace.ts"
import { BLOCKS } from "../dom/DomWalk.ts"
import {
  attribute,
  classesOf,
  type Document,
  type Element,
  hasAttributes,
  isElement,
  isText,
  type Node
} from "../dom/HtmlTree.ts"
import { hasHiddenAttribute, HIDDEN_CLASSES, isTabPanel } from "../dom/Landmarks.ts"
import { type HiddenInstruction, MOST_HIDDEN_INSTRUCTIONS } from "../Page.ts"

/** Text that is longer than this is a page that scripts show later, not a text that is hidden in one. */
const LONGEST = 3_000

/** Comments are read so far. */
const COMMENT_CHARACTERS = 5_000

const STYLE_CHARACTERS = 500

/** What is never text: scripts and styles; links, buttons and fields, which give no orders; prompts to be copied. */
const LEFT_OUT = new Set("script style a button select input textarea option nav svg iframe pre code".split(" "))

/** Parts that people open: a menu, a dialog, a tooltip. */
const OPENED_ROLES = new Set("dialog alertdialog menu menubar listbox tooltip tabpanel region".split(" "))

/** Attributes by which a control names what it opens or copies. */
const CONTROLLING = [
  "aria-controls",
  "aria-owns",
  "aria-describedby",
  "data-target",
  "data-bs-target",
  "data-clipboard-target",
  "for",
  "href"
] as const

/** A style that a script switches when people open the element. */
const CLOSED = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|max-height\s*:\s*0)/i

/** Styles that hide the text from people, each with the noun for it. */
const INVISIBLE: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /(?:^|;)\s*font(?:-size)?\s*:[^;]{0,60}?(?<![\d.])(?:0|1px|0?\.0\d{0,2})(?:px|em|rem|pt|%)?(?![\d.])/i,
    "letters of 1 px or less"
  ],
  [
    /(?:^|;)\s*(?:left|right|top|bottom|text-indent)\s*:\s*-\d{3,6}(?:\.\d{1,3})?(?:px|em|rem|vw|vh|%)?/i,
    "a place off the screen"
  ],
  [
    /(?:^|;)\s*(?:clip\s*:\s*rect\(\s*[01]|clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0\s*[,)])/i,
    "a clipped element"
  ],
  [/(?:^|;)\s*(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)/i, "an element of 1 px or less"],
  [/(?:^|;)\s*color\s*:\s*transparent/i, "transparent letters"]
]

const COLOUR = /(?:^|;)\s*color\s*:\s*([^;]{1,60})/i
const BACKGROUND = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;]{1,60})/i

/** Text written in the tag characters of Unicode, which no font shows; flags of regions take fewer than this. */
const TAGS = /[\u{E0020}-\u{E007E}]{12,2000}/gu

const TAG_OFFSET = 0xe0000

/**
 * The orders to agents that a document hides from people: in comments, `noscript` elements, elements that are hidden by inline style,
 * attribute or a class for it, and invisible characters. Hidden parts that people open (tabs, menus, accordions) are left out.
 */
export const hiddenInstructions = (document: Document): ReadonlyArray<HiddenInstruction> => {
  const opened = openedIds(document)
  const found: Array<HiddenInstruction> = []
  const judge = (hiddenBy: string, text: string, addressed = false): void => {
    const order = agentInstruction(text, addressed)
    if (order !== null && found.length < MOST_HIDDEN_INSTRUCTIONS) found.push({ hiddenBy, text: order })
  }
  const visit = (node: Node, within: boolean): void => {
    if (isComment(node)) return judge("an HTML comment", node.data.slice(0, COMMENT_CHARACTERS))
    if (isText(node)) return invisibleTexts(node.data).forEach((text) => judge("invisible characters", text, true))
    if (!isElement(node) || node.name === "script" || node.name === "style") return
    const hiddenBy = within ? null : hidingOf(node, opened)
    const text = hiddenBy === null ? null : textWithin(node)
    if (hiddenBy !== null && text !== null) judge(hiddenBy, text)
    for (const child of node.children) visit(child, within || hiddenBy !== null)
  }
  for (const child of document.children) visit(child, false)
  return found
}

/** How an element is hidden from people, as a noun; `null`: it is not, or they can open it. */
const hidingOf = (element: Element, opened: ReadonlySet<string>): string | null => {
  if (element.name === "noscript") return "a noscript element"
  if (!hasAttributes(element) || element.name === "body" || element.name === "html") return null
  const style = (attribute(element, "style") ?? "").slice(0, STYLE_CHARACTERS)
  const invisible = style === "" ? undefined : INVISIBLE.find(([hides]) => hides.test(style))
  if (invisible !== undefined) return invisible[1]
  if (style !== "" && isOneColour(style)) return "letters of the background's colour"
  const classes = classesOf(element)
  if (classes.some((name) => HIDDEN_CLASSES.has(name))) return "text for screen readers only"
  const closed = hasHiddenAttribute(element) || CLOSED.test(style)
  return closed && !isOpened(element, classes, opened) ? "a hidden element" : null
}

const isOneColour = (style: string): boolean => {
  const [colour, background] = [COLOUR, BACKGROUND].map((property) =>
    property
      .exec(style)?.[1]
      ?.replace(/\s|!important/gi, "")
      .toLowerCase()
  )
  return colour !== undefined && colour === background
}

const isOpened = (element: Element, classes: ReadonlyArray<string>, opened: ReadonlySet<string>): boolean => {
  const [id, role] = [attribute(element, "id"), attribute(element, "role")]
  return (
    isTabPanel(element, classes) ||
    element.name === "dialog" ||
    attribute(element, "popover") !== null ||
    (role !== null && OPENED_ROLES.has(role)) ||
    (id !== null && opened.has(id))
  )
}

/** The ids that controls of the document name. */
const openedIds = (document: Document): ReadonlySet<string> => {
  const ids = new Set<string>()
  const visit = (node: Node): void => {
    if (!isElement(node)) return
    if (hasAttributes(node)) {
      for (const name of CONTROLLING) {
        const value = attribute(node, name)
        if (value !== null && value.length < STYLE_CHARACTERS)
          for (const id of value.split(/\s+/)) ids.add(id.replace(/^#/, ""))
      }
    }
    node.children.forEach(visit)
  }
  document.children.forEach(visit)
  return ids
}

/** The text below an element, a line for each block; `null` if it is too long to be one hidden text. */
const textWithin = (element: Element): string | null => {
  const parts: Array<string> = []
  let left = LONGEST
  const gather = (parent: Element): void => {
    for (const child of parent.children) {
      if (left < 0) return
      if (isText(child)) {
        parts.push(parent.name === "noscript" ? child.data.replace(/<[^<>]{0,300}>/g, "\n") : child.data)
        left -= collapse(child.data).length
      } else if (isElement(child) && !LEFT_OUT.has(child.name)) {
        const apart = BLOCKS.has(child.name) || child.name === "br"
        if (apart) parts.push("\n")
        gather(child)
        if (apart) parts.push("\n")
      }
    }
  }
  gather(element)
  return left < 0 ? null : parts.join("").replace(/[^\S\n]+/g, " ")
}

const invisibleTexts = (text: string): ReadonlyArray<string> =>
  text.includes("\u{DB40}")
    ? [...text.matchAll(TAGS)].map(([tags]) =>
        Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? TAG_OFFSET) - TAG_OFFSET)).join("")
      )
    : []

/*
 * Tells a text that gives an agent orders from one that only says where the documentation for agents is. A hidden pointer to
 * llms.txt or to a Markdown version is recommended practice; hidden orders are what prompt injection is made of. English only.
 */

/** Of a text this much is read. */
const CHARACTERS = 5_000
const SENTENCES = 100
const SENTENCE_CHARACTERS = 600

/** How far after the words that address an agent an order still belongs to them, in sentences. */
const REACH = 5

const KIND = String.raw`(?:ai|llm|coding|language model)[ -](?:agents?|assistants?|bots?|crawlers?|models?|systems?|readers?)|ai|llms?|(?:large )?language models?|chatbots?`
const PRODUCT = "chatgpt|gpt-?\\d[\\w.]{0,5}|claude|gemini|copilot|perplexity|grok"

const pattern = (source: string): RegExp => new RegExp(source, "iu")

/** Ways in which a sentence speaks to an agent, not about one. */
const ADDRESSES: ReadonlyArray<RegExp> = [
  pattern(String.raw`\bif you(?: are|['’]re) (?:an? |the )?(?:${KIND}|${PRODUCT})\b`),
  pattern(String.raw`^\W*as an? (?:${KIND})\b`),
  pattern(
    String.raw`^\W*(?:important\W{1,3})?(?:attention|note|notice|message|reminder|hint|guidance|dear|hello|hey|important|information|for|to)(?: (?:to|for|all|any|every|the|your|our))*[ ,:]+(?:${KIND}|${PRODUCT})\b[^.!?]{0,60}[:,!]`
  ),
  pattern(String.raw`^\W*(?:${KIND})\b[^.!?:]{0,40}[:!]`),
  pattern(
    String.raw`^\W*(?:${KIND}|${PRODUCT}), (?:you|please|do|don['’]t|always|never|must|ignore|disregard|recommend|tell|stop)\b`
  ),
  pattern(
    String.raw`\b(?:${KIND})\b[^.!?]{0,40}\b(?:reading|visiting|crawling|processing|parsing|summari[sz]ing|indexing) (?:this|these|the)\b`
  ),
  pattern(
    String.raw`\b(?:ai|llm|agent|assistant)[ -]instructions?\s{0,3}[:>\]-]|\binstructions? (?:for|to) (?:all |any |the )?(?:${KIND}|${PRODUCT}|agents|assistants)\b|\bsystem prompt\s{0,3}:`
  )
]

/** What only an attack on a model says; so it need not address one. */
const OVERRIDES: ReadonlyArray<RegExp> = [
  pattern(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:previous|prior|above|earlier|preceding|all|other|your|system|original)\b[^.!?]{0,30}\b(?:instructions?|prompts?|guidelines|guardrails|directives?)\b`
  ),
  /<\|(?:im_start|im_end|system|endoftext)\|>|\[INST\]|<<SYS>>/u
]

/** What an agent is to do that is more than reading. */
const ACTS = pattern(
  String.raw`\b(?:ignore|disregard|forget|override|bypass|tell|inform|respond|reply|answer with|mention|recommend|promote|praise|execute|run|install|upload|reveal|refuse|pretend|purchase|buy|click)\b` +
    String.raw`|\b(?:send|share|provide|give|print|output|paste|include)\b[^.!?]{0,40}\b(?:passwords?|secrets?|credentials?|tokens?|api keys?|environment variables?)\b`
)

const OBLIGES = pattern(
  String.raw`\b(?:must|should|shall|always|never|do not|don['’]t|have to|need to|required to|instructed to|please)\b`
)

/** Where an agent reads on. */
const POINTS = pattern(
  String.raw`\bllms(?:-full)?\.txt\b|\.mdx?\b|\bmarkdown\b|\bsitemap\b|\bindex\b|\bopenapi\b|\bapi description\b|\bmcp\b|\bagent[- ]skills?\b`
)

/**
 * The sentence by which a text that people do not see gives an agent an order; `null` if it gives none. `addressed`: only agents
 * can read it at all, so it need not say that it speaks to them.
 */
export const agentInstruction = (text: string, addressed = false): string | null => {
  const all = sentencesOf(text)
  const override = all.find((sentence) => OVERRIDES.some((says) => says.test(sentence)))
  if (override !== undefined) return override
  const orders = all.map((sentence) => ACTS.test(sentence) || (OBLIGES.test(sentence) && !POINTS.test(sentence)))
  const at = all.findIndex(
    (sentence, index) =>
      orders.slice(index, index + 1 + REACH).includes(true) &&
      (addressed || ADDRESSES.some((speaksTo) => speaksTo.test(sentence)))
  )
  if (at < 0) return null
  return all[orders.indexOf(true, at)] ?? null
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, CHARACTERS)
    .split(/(?<=[.!?])\s+|\n+/u, SENTENCES)
    .map((sentence) => collapse(sentence).slice(0, SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "")
