import { holdsBlock, type HtmlElement, type HtmlNode, isEmpty, node, text } from "./HtmlNodes.ts"

/** Code with links in it as code beside links, as Markdown shows what is in code as it is. */
export const codeWithLinks = (children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const parts: Array<HtmlNode> = []
  let code = ""
  const flush = (): void => {
    const [isSpacedBefore, isSpacedAfter] = [code.trimStart() !== code, code.trimEnd() !== code]
    if (code.trim() !== "")
      parts.push(
        ...(isSpacedBefore ? [text(" ")] : []),
        node("code", [text(code.trim())]),
        ...(isSpacedAfter ? [text(" ")] : [])
      )
    else if (code !== "") parts.push(text(" "))
    code = ""
  }
  const gather = (child: HtmlNode): void => {
    if ("text" in child) code += child.text
    else if (child.name === "br") code += " "
    else if (child.name === "a" || child.name === "img") {
      flush()
      parts.push(child.name === "a" ? node("a", [node("code", [text(textOf(child))])], child.attributes) : child)
    } else child.children.forEach(gather)
  }
  children.forEach(gather)
  flush()
  return parts
}

const textOf = (child: HtmlNode): string => ("text" in child ? child.text : child.children.map(textOf).join(""))

/** Wraps what is between white space: `** bold**` would be no emphasis. */
export const besideSpace = (
  children: ReadonlyArray<HtmlNode>,
  wrapped: (inner: ReadonlyArray<HtmlNode>) => HtmlNode
): ReadonlyArray<HtmlNode> => {
  const [first, last] = [children[0], children.at(-1)]
  const before = first !== undefined && "text" in first && /^\s/.test(first.text)
  const after = last !== undefined && "text" in last && /\s$/.test(last.text)
  const inner = children.map((child, index) => {
    if (!("text" in child)) return child
    const from = index === 0 ? child.text.trimStart() : child.text
    return text(index === children.length - 1 ? from.trimEnd() : from)
  })
  return [...(before ? [text(" ")] : []), wrapped(inner), ...(after ? [text(" ")] : [])]
}

const HEADING = /^h[1-6]$/

const holdsHeading = (child: HtmlNode): boolean =>
  "name" in child && !isEmpty(child) && (HEADING.test(child.name) || child.children.some(holdsHeading))

const hasWords = (child: HtmlNode): boolean =>
  "text" in child ? /[\p{L}\p{N}]/u.test(child.text) : child.name === "img" || child.children.some(hasWords)

/** Links one line of what a link holds: its heading, such as the title of a card, else its first words. A link of Markdown cannot hold blocks. */
export const linkFirst = (children: ReadonlyArray<HtmlNode>, href: string): ReadonlyArray<HtmlNode> => {
  const at =
    [holdsHeading, hasWords, (child: HtmlNode) => !isEmpty(child)]
      .map((wanted) => children.findIndex(wanted))
      .find((index) => index >= 0) ?? -1
  const first = children[at]
  if (first === undefined) return children
  if ("name" in first && holdsBlock(first)) {
    if (first.name === "pre" || first.name === "table" || first.name === "hr") return children
    const inner = first.children.some(holdsBlock)
      ? linkFirst(first.children, href)
      : [node("a", first.children, { href })]
    return children.with(at, node(first.name, inner, first.attributes))
  }
  const next = children.findIndex((child, index) => index > at && holdsBlock(child))
  const to = next < 0 ? children.length : next
  return [...children.slice(0, at), node("a", children.slice(at, to), { href }), ...children.slice(to)]
}

/** Emphasis by its mark: that of one kind is written alike. */
const MARKS = new Map([
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
  ["s", "~~"],
  ["strike", "~~"]
])

const markOf = (child: HtmlNode | undefined): string | null =>
  child !== undefined && "name" in child ? (MARKS.get(child.name) ?? null) : null

const isCode = (child: HtmlNode | undefined): boolean => child !== undefined && "name" in child && child.name === "code"

/**
 * Siblings that Markdown can tell apart: emphasis of one kind is one piece, pieces of code have a space between them, and emphasis whose
 * marks would be read as text, beside other marks or between a letter and punctuation, is text.
 */
export const besideEachOther = (siblings: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  if (!siblings.some((child) => markOf(child) !== null || isCode(child))) return siblings
  const joined = runsOf(siblings)
  const kept: Array<HtmlNode> = []
  for (const [index, child] of joined.entries()) {
    const before = kept.at(-1)
    const mark = markOf(child)
    if (isCode(child) && isCode(before)) kept.push(text(" "))
    if (mark === null || !("name" in child)) kept.push(child)
    else if (markOf(before) !== null || !canOpen(before, child)) kept.push(...child.children)
    else kept.push(...closed(child, joined[index + 1]))
  }
  return kept
}

/** Each run of emphasis of one kind as one piece. */
const runsOf = (siblings: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlNode> => {
  const runs: Array<{ readonly first: HtmlNode; readonly mark: string | null; readonly children: Array<HtmlNode> }> = []
  for (const child of siblings) {
    const mark = markOf(child)
    const last = runs.at(-1)
    const children = "name" in child ? child.children : []
    if (mark !== null && last?.mark === mark) last.children.push(...children)
    else runs.push({ first: child, mark, children: [...children] })
  }
  return runs.map(({ children, first, mark }) =>
    mark === null || !("name" in first) ? first : node(first.name, children)
  )
}

const LETTER = /[\p{L}\p{N}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/** The character at one end of what a node is written as; empty where it is white space or nothing. */
const edgeOf = (child: HtmlNode | undefined, end: "start" | "end"): string => {
  if (child === undefined) return ""
  if ("text" in child)
    return (end === "start" ? /^\P{M}/u.exec(child.text) : /\P{M}$/u.exec(child.text))?.[0]?.trim() ?? ""
  return child.name === "br" ? "" : "*"
}

/** CommonMark: a mark before punctuation opens nothing after a letter. */
const canOpen = (before: HtmlNode | undefined, { children }: HtmlElement): boolean =>
  !(LETTER.test(edgeOf(before, "end")) && PUNCTUATION.test(edgeOf(children[0], "start")))

const ENDING = /[\p{P}\p{S}]{1,20}$/u

/** CommonMark: a mark after punctuation closes nothing before a letter, so the punctuation goes after it. */
const closed = (element: HtmlElement, after: HtmlNode | undefined): ReadonlyArray<HtmlNode> => {
  const last = element.children.at(-1)
  if (!LETTER.test(edgeOf(after, "start")) || !PUNCTUATION.test(edgeOf(last, "end"))) return [element]
  const ending = last !== undefined && "text" in last ? (ENDING.exec(last.text)?.[0] ?? "") : ""
  const rest = last !== undefined && "text" in last ? last.text.slice(0, last.text.length - ending.length) : ""
  return LETTER.test(rest.slice(-1))
    ? [node(element.name, [...element.children.slice(0, -1), text(rest)], element.attributes), text(ending)]
    : element.children
}
