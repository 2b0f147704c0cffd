import { type DomWalk, type Placed, seenText } from "../dom/DomWalk.ts"
import {
  attribute,
  childrenOf,
  type Element,
  findBelow,
  isElement,
  isText,
  neighbour,
  parentOf
} from "../dom/HtmlTree.ts"
import { isSurrounding } from "../dom/Landmarks.ts"
import type { Heading, Section } from "../Page.ts"
import { type ChosenContent, countBefore } from "./MainContentReader.ts"

const LEVELS: ReadonlyMap<string, Heading["level"]> = new Map([
  ["h1", 1],
  ["h2", 2],
  ["h3", 3],
  ["h4", 4],
  ["h5", 5],
  ["h6", 6]
])

const MAX_HEADINGS = 5_000
const SECTION_CHARACTERS = 20_000

/** A heading and its place in the document's order. */
interface PlacedHeading extends Heading {
  readonly order: number
}

/** All headings with a text, in document order. */
export const readHeadings = (walk: DomWalk, content: ChosenContent): ReadonlyArray<PlacedHeading> =>
  [...LEVELS]
    .flatMap(([name, level]) => (walk.seen.get(name) ?? []).map((placed) => ({ placed, level })))
    .sort((one, other) => one.placed.order - other.placed.order)
    .slice(0, MAX_HEADINGS)
    .map(({ level, placed }) => headingOf(placed, level, content))
    .filter((heading) => heading.text !== "")

const headingOf = (
  { element, order, surrounding }: Placed,
  level: Heading["level"],
  { container }: ChosenContent
): PlacedHeading => ({
  level,
  text: seenText(element, 300),
  anchor: anchorOf(element),
  inMain: !surrounding && order > container.from && order <= container.to,
  order
})

const idOf = (element: Element): string | null => attribute(element, "id") || null

const nameOf = (element: Element): string | null =>
  idOf(element) ?? (element.name === "a" ? attribute(element, "name") || null : null)

/** The fragment that leads to a heading: its own, an anchor's in or beside it, or that of the section that it opens. */
const anchorOf = (heading: Element): string | null => {
  const own = idOf(heading)
  if (own !== null) return own
  const inside = findBelow(heading, (child) => nameOf(child) !== null, 100)
  if (inside !== null) return nameOf(inside)
  const before = emptyNeighbour(heading)
  if (before !== null) return before
  return openedSection(heading)
}

/** An anchor without text right before an element, or a link right after it in the same wrapper. */
const emptyNeighbour = (element: Element): string | null => {
  const before = neighbour(element, "before")
  const after = neighbour(element, "after")
  const isAnchor = before !== null && ANCHORS.has(before.name) && seenText(before, 10).length <= 1
  const isLink = after !== null && after.name === "a" && seenText(after, 10).length <= 1
  return (isAnchor ? (nameOf(before) ?? nameInside(before)) : null) ?? (isLink ? nameOf(after) : null)
}

const ANCHORS = new Set(["a", "span", "div", "p"])

/** A paragraph that holds an anchor and nothing else. */
const nameInside = (element: Element): string | null => {
  const [only, ...others] = childrenOf(element)
  return only !== undefined && others.length === 0 && only.name === "a" ? nameOf(only) : null
}

const OPENED = new Set(["section", "article", "div", "header", "details", "summary", "dt", "ul", "ol", "li", "hgroup"])

/** Of up to three elements that begin with the heading: an id, or an anchor right before. */
const openedSection = (heading: Element): string | null => {
  let child = heading
  for (let level = 0; level < 3; level++) {
    const parent = parentOf(child)
    if (parent === null || !(OPENED.has(parent.name) || parent.name.includes("-")) || !opens(parent, child)) return null
    const anchor = idOf(parent) ?? emptyNeighbour(parent)
    if (anchor !== null) return anchor
    child = parent
  }
  return null
}

/** How much of an element is looked at for what comes before the heading, in nodes. */
const OPENING = 20

const opens = (parent: Element, child: Element): boolean =>
  parent.children
    .slice(0, OPENING)
    .find(
      (candidate) =>
        candidate === child ||
        (isText(candidate)
          ? candidate.data.trim() !== ""
          : isElement(candidate) && seenText(candidate, 10) !== "" && !isGroupLink(candidate))
    ) === child

const GROUP_CHARACTERS = 60

/** The name of the group that a section belongs to, above its heading: a link and nothing else. */
const isGroupLink = (element: Element): boolean => {
  const link = element.name === "a" ? element : childrenOf(element)[0]
  return link?.name === "a" && seenText(link, GROUP_CHARACTERS) === seenText(element, GROUP_CHARACTERS)
}

/** Main content cut at its headings. */
export const cutSections = (
  headings: ReadonlyArray<PlacedHeading>,
  content: ChosenContent
): readonly [Section, ...ReadonlyArray<Section>] => {
  const inMain = headings.filter((heading) => heading.inMain)
  const texts: Array<Array<string>> = [[], ...inMain.map(() => [])]
  let current = 0
  for (const segment of content.segments) {
    while (current < inMain.length && (inMain[current]?.order ?? 0) <= segment.order) current++
    if (!segment.isHeading) texts[current]?.push(segment.text)
  }
  return sectionsOf(
    inMain,
    texts.map((parts) => parts.join("\n").slice(0, SECTION_CHARACTERS))
  )
}

/** The index of the section that a place in the document's order falls into. */
export const sectionAt = (headings: ReadonlyArray<PlacedHeading>): ((order: number) => number) => {
  const orders = headings.filter((heading) => heading.inMain).map((heading) => heading.order)
  return (order) => countBefore(orders, (start) => start <= order)
}

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

/**
 * Sections of a text that is cut at its headings, each with the path of the headings above it.
 *
 * @param texts what is below each heading; the first text comes before all headings, so there is one more than headings.
 */
export const sectionsOf = (
  headings: ReadonlyArray<Pick<Heading, "anchor" | "level" | "text">>,
  texts: ReadonlyArray<string>
): readonly [Section, ...ReadonlyArray<Section>] => {
  let above: ReadonlyArray<Pick<Heading, "level" | "text">> = []
  const sections = headings.map(({ anchor, level, text }, index): Section => {
    above = above.filter((heading) => heading.level < level)
    const path = above.map((heading) => heading.text)
    above = [...above, { level, text }]
    return { heading: text, level, anchor, path, text: texts[index + 1] ?? "" }
  })
  return [{ heading: "", level: 0, anchor: null, path: [], text: texts[0] ?? "" }, ...sections]
}
