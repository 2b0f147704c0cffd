import { holdsBlock, type HtmlNode, isEmpty, node, text } from "./HtmlNodes.ts"

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

/** Links the first line of what a link holds, such as the title of a card: a link of Markdown cannot hold blocks. */
export const linkFirst = (children: ReadonlyArray<HtmlNode>, href: string): ReadonlyArray<HtmlNode> => {
  const at = children.findIndex((child) => !isEmpty(child))
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
