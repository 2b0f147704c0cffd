import { seenText } from "../dom/DomWalk.ts"
import { attribute, childrenOf, type Document, type Element, isElement } from "../dom/HtmlTree.ts"
import type { AttributeTest, ElementSelection, SelectedElement, Selector, SelectorStep } from "./Selector.ts"

const MOST_ELEMENTS = 500
const MOST_ATTRIBUTES = 50
const LONGEST_VALUE = 2_000

/** Of one alternative, the steps that were matched: bit n is set for step n. */
interface Matched {
  /** By any element around. */
  readonly above: number
  /** By the parent. */
  readonly parent: number
}

/** Visits each element once, whatever the selector. */
export const selectElements = (document: Document, selector: Selector): ElementSelection => {
  const found: Array<Element> = []
  const visit = (element: Element, around: ReadonlyArray<Matched>): void => {
    if (found.length > MOST_ELEMENTS) return
    let isSelected = false
    const below = selector.map((steps, index): Matched => {
      const { above, parent } = around[index] ?? NOTHING
      const own = steps.reduce((mask, step, at) => {
        const isPlaced = at === 0 || ((step.place === "child" ? parent : above) & (1 << (at - 1))) !== 0
        return isPlaced && fits(element, step) ? mask | (1 << at) : mask
      }, 0)
      isSelected ||= (own & (1 << (steps.length - 1))) !== 0
      return { above: above | own, parent: own }
    })
    if (isSelected) found.push(element)
    for (const child of childrenOf(element)) visit(child, below)
  }
  const none = selector.map(() => NOTHING)
  for (const root of document.children) if (isElement(root)) visit(root, none)
  return { elements: found.slice(0, MOST_ELEMENTS).map(shown), cut: found.length > MOST_ELEMENTS }
}

const NOTHING: Matched = { above: 0, parent: 0 }

const fits = (element: Element, { attributes, tag }: SelectorStep): boolean =>
  (tag === null || element.name === tag) && attributes.every((test) => passes(attribute(element, test.name), test))

const passes = (written: string | null, { anyCase, operator, value }: AttributeTest): boolean => {
  if (written === null) return false
  const text = anyCase ? written.toLowerCase() : written
  if (operator === null) return true
  if (operator === "=") return text === value
  if (operator === "~=") return value !== "" && text.split(/\s+/).includes(value)
  if (value === "") return false
  if (operator === "^=") return text.startsWith(value)
  return operator === "$=" ? text.endsWith(value) : text.includes(value)
}

const shown = (element: Element): SelectedElement => ({
  tag: element.name,
  attributes: Object.fromEntries(
    Object.entries(element.attribs)
      .slice(0, MOST_ATTRIBUTES)
      .map(([name, value]) => [name, value.slice(0, LONGEST_VALUE)])
  ),
  text: seenText(element, LONGEST_VALUE)
})
