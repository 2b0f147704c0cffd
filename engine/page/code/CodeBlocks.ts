import { nonBlankLines } from "../../text/WhiteSpace.ts"
import { type CodePlace, codeText } from "../dom/CodeText.ts"
import { knownLanguage, languageOfLabel, normaliseLanguage } from "./CodeLanguage.ts"
import { attribute, childrenOf, classesOf, type Element, neighbour, parentOf } from "../dom/HtmlTree.ts"
import type { CodeBlock } from "../Page.ts"
import { labelText, tabLabelAbove } from "./TabLabels.ts"

/** Longest text kept of one block, in characters. */
const BLOCK_CHARACTERS = 50_000

/** Wrappers that highlighters put around a block: with numbers of lines, a whole table. */
const WRAPPERS = 7

/**
 * A `pre` as a code block.
 *
 * @param byId finds an element of the page, for `aria-labelledby`.
 * @param place where its text is in the document.
 */
export const readCodeBlock = (
  pre: Element,
  section: number,
  byId: (id: string) => Element | null,
  place: CodePlace | null
): CodeBlock => {
  const text = codeText(pre)
  const label = labelOfCode(pre, byId)
  return {
    text: text.slice(0, BLOCK_CHARACTERS),
    lines: nonBlankLines(text),
    language: languageOf(pre, label),
    label,
    section,
    ...linesIn(text, place)
  }
}

/** Blank lines at the end of a block and its closing tag: the text has none of their line breaks. */
const MOST_TRAILING = 3

/** Line numbers or a button before the code have another first character: then its line is not known. */
const linesIn = (text: string, place: CodePlace | null): Pick<CodeBlock, "line" | "lineByLine"> => {
  if (place === null || (place.first !== "&" && place.first !== text.trimStart().charAt(0)))
    return { line: null, lineByLine: false }
  const breaks = text.split("\n").length - 1
  const more = place.breaks - breaks
  return { line: place.line, lineByLine: breaks === 0 || (more >= 0 && more <= MOST_TRAILING) }
}

/** The language of a `pre`, as `CodeBlock.language`. */
export const languageOfCode = (pre: Element, byId: (id: string) => Element | null): string | null =>
  languageOf(pre, labelOfCode(pre, byId))

const labelOfCode = (pre: Element, byId: (id: string) => Element | null): string | null =>
  tabLabelAbove(pre, byId) ?? captionOf(pre)

/** Highlighters tag what they do not know as plain text, or by a name that only they know: there the label says more. */
const languageOf = (pre: Element, label: string | null): string | null => {
  const tagged = taggedLanguage(pre)
  if (tagged !== null && tagged !== "text" && knownLanguage(tagged) !== null) return tagged
  return (label === null ? null : languageOfLabel(label)) ?? tagged
}

const TAG_CLASS = /^(?:language|lang|highlight-source|highlight|brush:|prettyprint-lang|src|tab|code)[-:]?(.+)$/i
const OWN_TAG_CLASS = /^(?:language|lang)-(.+)$/i

/** The innermost of blocks that hold nothing but another one: mdBook puts a `pre` around those that can be run. */
const innermost = (pre: Element): Element => {
  const [only, other] = childrenOf(pre).filter(({ name }) => name !== "button")
  return only?.name === "pre" && other === undefined ? innermost(only) : pre
}

const taggedLanguage = (outer: Element): string | null => {
  const pre = innermost(outer)
  const code = childrenOf(pre).find((child) => child.name === "code")
  for (const element of code === undefined ? [pre] : [code, pre]) {
    const tagged = dataLanguage(element) ?? ownTag(element) ?? classLanguage(element)
    if (tagged !== null) return tagged
  }
  let wrapper = parentOf(pre)
  for (let level = 0; level < WRAPPERS && wrapper !== null && wrapper.name !== "body"; level++) {
    const tagged = dataLanguage(wrapper) ?? wrapperLanguage(wrapper)
    if (tagged !== null) return tagged
    wrapper = parentOf(wrapper)
  }
  return null
}

const dataLanguage = (element: Element): string | null => {
  const value = attribute(element, "data-lang") ?? attribute(element, "data-language") ?? attribute(element, "language")
  return value === null ? null : normaliseLanguage(value)
}

/** `language-anything` on the block itself names a language whether known or not. */
const ownTag = (element: Element): string | null => {
  for (const name of classesOf(element)) {
    const tag = OWN_TAG_CLASS.exec(name)?.[1]
    if (tag !== undefined && normaliseLanguage(tag) !== null) return normaliseLanguage(tag)
  }
  return null
}

/** Slate's `highlight plaintext tab-shell--curl`: the tab's language, beside the highlighter's. */
const TAB_CLASS = /^tab-(.+)$/i

/** `sourceCode r`, `highlight ruby`, `hljs python`, `brush: js`. */
const classLanguage = (element: Element): string | null => {
  const tab = classesOf(element)
    .flatMap((name) => TAB_CLASS.exec(name)?.[1] ?? [])
    .map(knownLanguage)
    .find((language) => language !== null)
  if (tab !== undefined) return tab
  for (const name of classesOf(element)) {
    const language =
      knownLanguage(TAG_CLASS.exec(name)?.[1] ?? name) ??
      (BARE_NAMES.has(name.toLowerCase()) ? null : knownLanguage(name))
    if (language !== null && !BARE_NAMES.has(name.toLowerCase())) return language
  }
  return null
}

/** Class names that style blocks and happen to be languages' names or aliases. */
const BARE_NAMES = new Set([
  "code",
  "prompt",
  "config",
  "tree",
  "raw",
  "default",
  "dot",
  "mk",
  "plain",
  "prose",
  "error",
  "errors",
  "log",
  "c",
  "d",
  "v"
])

const WRAPPER_CLASS = /^(?:language|lang|highlight-source|highlight)-(.+)$/i

/** `div.highlight-python`, `div.language-bash`: only with a known name, as wrappers have other classes of that form. */
const wrapperLanguage = (element: Element): string | null => {
  for (const name of classesOf(element)) {
    const tag = WRAPPER_CLASS.exec(name)?.[1]
    const language = tag === undefined ? null : knownLanguage(tag)
    if (language !== null) return language
  }
  return null
}

const CAPTION_CLASS = /(?:^|[-_])(?:filename|code-block-caption|codeblocktitle|code-title|caption|file-name)(?:$|[-_])/i

/** A title over the block: an attribute, or the element right before it. */
const captionOf = (pre: Element): string | null => {
  const title = attribute(pre, "title") ?? attribute(pre, "data-title") ?? attribute(pre, "data-filename")
  if (title !== null && title.trim() !== "") return title.trim().slice(0, 80)
  let element: Element | null = pre
  for (let level = 0; level < 3 && element !== null; level++) {
    const before = neighbour(element, "before")
    if (
      before !== null &&
      (before.name === "figcaption" || classesOf(before).some((name) => CAPTION_CLASS.test(name)))
    ) {
      return labelText(before)
    }
    element = parentOf(element)
  }
  return null
}
