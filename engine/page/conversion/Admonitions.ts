import { attribute, childrenOf, classesOf, type Element } from "../dom/HtmlTree.ts"

/** Containers that generators use for notes and warnings, by class or custom element. */
const CONTAINERS =
  /^(?:admonition|theme-admonition(?:-.+)?|custom-block|starlight-aside|markdown-alert|nextra-callout|callout|hint|alert|notice|infobox|rm-Callout|note|warning)$/

const KINDS = new Map([
  ["note", "Note"],
  ["seealso", "See also"],
  ["tip", "Tip"],
  ["hint", "Hint"],
  ["info", "Info"],
  ["important", "Important"],
  ["success", "Success"],
  ["caution", "Caution"],
  ["warning", "Warning"],
  ["attention", "Attention"],
  ["danger", "Danger"],
  ["error", "Error"],
  ["deprecated", "Deprecated"],
  ["example", "Example"],
  ["question", "Question"],
  ["bug", "Bug"],
  ["abstract", "Abstract"],
  ["quote", "Quote"]
])

/** A note, tip or warning set apart from the text. */
export interface Admonition {
  /** Its kind as its class names it, such as `Warning`, for one that shows no title; `null`: none is named. */
  readonly kind: string | null
}

/** `null` for an element that is not an admonition. */
export const admonitionOf = (element: Element): Admonition | null => {
  if (element.name !== "div" && element.name !== "aside" && element.name !== "details" && element.name !== "blockquote")
    return null
  const classes = classesOf(element)
  if (attribute(element, "role") !== "note" && !classes.some((name) => CONTAINERS.test(name))) return null
  return { kind: classes.map((name) => kindOf(name)).find((kind) => kind !== null) ?? null }
}

const kindOf = (name: string): string | null => {
  const last = name
    .toLowerCase()
    .split(/[-_]/)
    .findLast((word) => KINDS.has(word))
  return last === undefined ? null : (KINDS.get(last) ?? null)
}

const TITLE = /(?:^|[-_])(?:title|heading|header)(?:$|[-_])|^admonitionHeading/i

/** The line that names an admonition, as its generator marks it. */
export const isAdmonitionTitle = (element: Element): boolean =>
  element.name === "summary" || classesOf(element).some((name) => TITLE.test(name))

/** Whether one of the first elements of an admonition is its title. */
export const showsTitle = (admonition: Element): boolean => childrenOf(admonition).slice(0, 3).some(isAdmonitionTitle)
