import { attribute, classesOf, contentOf, type Element, isElement, isText, parentOf } from "./HtmlTree.ts"

const NAMES = new Set(["span", "b", "strong", "i"])

const NUMBER = /^\s*\d{1,3}[.)]?\s*$/

/** What a style sets apart from the words beside it, and nothing else does: the number of a step or of a menu's entries, the second part of a title. */
export const isSetApart = (element: Element): boolean => isCounter(element) || isSecondPart(element)

/** VitePress: the name of the product and what it is, each in a `span` of the title of the start page. */
const isSecondPart = (element: Element): boolean =>
  element.name === "span" &&
  parentOf(element)?.name === "h1" &&
  attribute(element, "class") !== null &&
  element.prev !== null &&
  isElement(element.prev) &&
  element.prev.name === "span" &&
  attribute(element.prev, "class") !== null &&
  /\p{Ll}$/u.test(edgeText(element.prev, "end")) &&
  /^\p{Lu}/u.test(edgeText(element, "start"))

const isCounter = (element: Element): boolean => {
  if (!NAMES.has(element.name) || !NUMBER.test(contentOf(element, 8))) return false
  return element.prev === null
    ? /^\p{L}{2}/u.test(edgeText(element.next, "start"))
    : element.next === null && /\p{L}{2}$/u.test(edgeText(element.prev, "end"))
}

/** Text at the near end of a neighbour; empty for none. */
const edgeText = (neighbour: Element["next"], end: "start" | "end"): string => {
  if (neighbour === null) return ""
  const text = isText(neighbour) ? neighbour.data : isElement(neighbour) ? contentOf(neighbour, EDGE) : ""
  return end === "start" ? text.slice(0, 2) : text.slice(-2)
}

/** A neighbour is looked at this far, in characters. */
const EDGE = 100

const TASK = /^(?:task-list-item|contains-task-list|task-list)/

/** The box of an item of a task list: one that cannot be ticked, or that its class says to be one. */
export const isTaskBox = (element: Element): boolean => {
  if (element.name !== "input" || attribute(element, "type")?.toLowerCase() !== "checkbox") return false
  const parent = parentOf(element)
  return (
    attribute(element, "disabled") !== null ||
    classesOf(element).some((name) => TASK.test(name)) ||
    (parent !== null && classesOf(parent).some((name) => TASK.test(name)))
  )
}
