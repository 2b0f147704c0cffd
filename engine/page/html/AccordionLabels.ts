import { isElement, neighbour, parentOf, type Element } from "../dom/HtmlTree.ts"
import { isSurrounding } from "../dom/Landmarks.ts"
import { type DomWalk, type Placed, seenText } from "../dom/DomWalk.ts"
import type { PlacedHeading } from "./Headings.ts"
import type { ChosenContent } from "./MainContentReader.ts"

const MAX_LABELS = 2_000

/** Elements that a button opens. */
const PANELS = new Set(["div", "section", "p"])
const PANEL_CHARACTERS = 20
const LABEL_CHARACTERS = 300

/** A label is a question or a title, not "Copy" or "Next". */
const LEAST_LABEL = 8

/**
 * The buttons of accordions: at least two in a row, each right before the text that it opens. A reader sees them as headings,
 * so they cut sections; they are not in the page's list of headings.
 */
export const accordionLabels = (walk: DomWalk, { container }: ChosenContent): ReadonlyArray<PlacedHeading> =>
  (walk.seen.get("button") ?? [])
    .slice(0, MAX_LABELS)
    .filter(({ order }) => order > container.from && order <= container.to)
    .filter(({ element }) => opensPanel(element) && hasSibling(element) && !isInSurroundings(element))
    .map(({ element, order }: Placed): PlacedHeading => ({
      level: 6,
      text: labelOf(element),
      anchor: null,
      inMain: true,
      order
    }))

const labelOf = (button: Element): string => seenText(button, LABEL_CHARACTERS).trim()

const opensPanel = (button: Element): boolean => {
  const panel = neighbour(button, "after")
  return (
    panel !== null &&
    PANELS.has(panel.name) &&
    seenText(panel, 200).length >= PANEL_CHARACTERS &&
    labelOf(button).length >= LEAST_LABEL
  )
}

/** Another button that opens a panel, before this one's or after it. */
const hasSibling = (button: Element): boolean => {
  const panel = neighbour(button, "after")
  const next = panel === null ? null : neighbour(panel, "after")
  const before = neighbour(button, "before")
  const previous = before === null ? null : neighbour(before, "before")
  return [next, previous].some((sibling) => sibling !== null && sibling.name === "button" && opensPanel(sibling))
}

const isInSurroundings = (element: Element): boolean => {
  for (let parent = parentOf(element); parent !== null && isElement(parent); parent = parentOf(parent)) {
    if (isSurrounding(parent, true)) return true
  }
  return false
}
