import { attribute, childrenOf, contentOf, type Element, isText, neighbour, parentOf } from "./HtmlTree.ts"

/** A formula in TeX. */
interface Formula {
  readonly tex: string
  /** Whether it is set apart from the text. */
  readonly display: boolean
}

const TEX = /^application\/x-tex$/i

/** Longest formula, in characters. */
const LONGEST = 5_000

const isTex = (element: Element): boolean =>
  element.name === "annotation" && TEX.test((attribute(element, "encoding") ?? "").trim())

/** One of two forms of the same formula: MathML has its TeX beside it, which is what readers of text are given. */
export const isOtherForm = (element: Element): boolean => {
  const parent = parentOf(element)
  if (parent?.name !== "semantics") return false
  return childrenOf(parent).some(isTex)
    ? !isTex(element)
    : element.name === "annotation" || element.name === "annotation-xml"
}

const TEX_SCRIPT = /^math\/tex(?:;|$)/i
const MATH_CLASS = /(?:^|\s)(?:math|arithmatex)(?:\s|$)/
const INLINE = /^\s*\\\((.*)\\\)\s*$/s
const DISPLAY = /^\s*(?:\\\[(.*)\\\]|\$\$(.*)\$\$)\s*$/s

/** The formula that an element is: MathML with its TeX, a script of TeX that is not shown otherwise, or TeX between its marks. */
export const formulaOf = (element: Element): Formula | null => {
  if (element.name === "math") return ofMathMl(element)
  if (element.name === "script") return ofScript(element)
  return MATH_CLASS.test((attribute(element, "class") ?? "").slice(0, 200)) ? ofMarks(element) : null
}

const ofMathMl = (math: Element): Formula | null => {
  const semantics = childrenOf(math).find(({ name }) => name === "semantics")
  const tex = semantics === undefined ? undefined : childrenOf(semantics).find(isTex)
  return tex === undefined
    ? null
    : formula(contentOf(tex, LONGEST), attribute(math, "display") === "block" || isInDisplay(math))
}

/** How far above its MathML KaTeX says that a formula is set apart. */
const DISPLAY_LEVELS = 4

const isInDisplay = (math: Element): boolean => {
  let around = parentOf(math)
  for (let level = 0; level < DISPLAY_LEVELS && around !== null; level++) {
    if (
      /(?:^|\s)(?:katex-display|MathJax_Display)(?:\s|$)/.test((attribute(around, "class") ?? "").slice(0, 200)) ||
      (around.name === "mjx-container" && attribute(around, "display") === "true")
    )
      return true
    around = parentOf(around)
  }
  return false
}

const ofScript = (script: Element): Formula | null => {
  const type = attribute(script, "type") ?? ""
  if (!TEX_SCRIPT.test(type)) return null
  const before = neighbour(script, "before")
  const isShown = before !== null && /(?:^|\s)MathJax/.test((attribute(before, "class") ?? "").slice(0, 200))
  return isShown ? null : formula(contentOf(script, LONGEST), /mode\s{0,5}=\s{0,5}display/i.test(type))
}

const ofMarks = (element: Element): Formula | null => {
  if (!element.children.every(isText)) return null
  const text = contentOf(element, LONGEST)
  const inline = INLINE.exec(text)?.[1]
  const display = DISPLAY.exec(text)
  return inline === undefined ? formula(display?.[1] ?? display?.[2] ?? "", true) : formula(inline, false)
}

const formula = (tex: string, display: boolean): Formula | null => {
  const written = tex.replaceAll(/\s+/g, " ").trim()
  return written === "" || written.length >= LONGEST ? null : { tex: written, display }
}
