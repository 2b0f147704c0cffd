import { attribute, childrenOf, type Element, findBelow, hasAttributes, neighbour, parentOf } from "../dom/HtmlTree.ts"
import { seenText } from "../dom/DomWalk.ts"

/** How far up a tab panel may be. */
const TAB_LEVELS = 8

export const isTab = (element: Element): boolean => attribute(element, "role") === "tab" || element.name === "label"

/** The label of the tab that shows an element: of the nearest panel that it is or that encloses it. */
export const tabLabelAbove = (inner: Element, byId: (id: string) => Element | null): string | null => {
  let element: Element | null = inner
  for (let level = 0; level < TAB_LEVELS && element !== null && element.name !== "body"; level++) {
    const tab = tabOf(element, byId)
    const label = tab === null ? null : labelText(tab)
    if (label !== null) return label
    element = parentOf(element)
  }
  return null
}

/** The tab that shows a panel: by a reference of either, right before it, or by the panel's place among its like. */
export const tabOf = (panel: Element, byId: (id: string) => Element | null): Element | null => {
  const reference = attribute(panel, "aria-labelledby")
  const labelling = reference === null ? null : byId(reference)
  return labelling !== null && isTab(labelling)
    ? labelling
    : (referringTab(panel) ?? radioTab(panel) ?? ordinalTab(panel))
}

/** How far above a panel its tabs begin, in levels, and how many nodes are searched for them. */
const BAR_LEVELS = 3
const BAR_NODES = 300

const TABS = new Set(["button", "a", "li", "span", "div"])

/** The tab near a panel that names it. */
const referringTab = (panel: Element): Element | null => {
  const id = attribute(panel, "id") ?? ""
  const key = attribute(panel, "data-tab") ?? ""
  if (id === "" && key === "") return null
  const refers = (tab: Element): boolean =>
    tab !== panel &&
    hasAttributes(tab) &&
    ((isTab(tab) && namesId(tab, id)) || (TABS.has(tab.name) && sharesKey(tab, id, key)))
  let around = parentOf(panel)
  for (let level = 0; level < BAR_LEVELS && around !== null && around.name !== "body"; level++) {
    const tab = findBelow(around, refers, BAR_NODES)
    if (tab !== null) return tab
    around = parentOf(around)
  }
  return null
}

const namesId = (tab: Element, id: string): boolean =>
  id !== "" &&
  (attribute(tab, "aria-controls") === id ||
    ["href", "data-target", "data-bs-target"].some((name) => attribute(tab, name)?.replace(/^#/, "") === id))

/** `data-tab="python"` beside a panel `python`, `tab-python`, or with the same attribute. */
const sharesKey = (tab: Element, id: string, key: string): boolean => {
  const own = attribute(tab, "data-tab") ?? ""
  return own !== "" && (own === key || own === id || id.endsWith(`-${own}`) || id.endsWith(`_${own}`))
}

const MAX_PANELS = 30

/** MkDocs and sphinx-design: `<input type=radio><label>Python</label><div>…</div>` for each tab. */
const radioTab = (panel: Element): Element | null => {
  const label = neighbour(panel, "before")
  const input = label === null || label.name !== "label" ? null : neighbour(label, "before")
  return label !== null && input !== null && input.name === "input" && attribute(input, "type") === "radio"
    ? label
    : null
}

const isPanel = (element: Element): boolean => attribute(element, "role") === "tabpanel"

/** Panels beside each other, with as many tabs in the element before them: before their parent, or before the first of them. */
const ordinalTab = (panel: Element): Element | null => {
  const parent = parentOf(panel)
  if (parent === null || parent.children.length > MAX_PANELS * 4) return null
  const kin = childrenOf(parent).filter(
    (child) => child.name === panel.name && attribute(child, "role") === attribute(panel, "role")
  )
  const [first] = kin
  if (first === undefined || kin.length < 2 || kin.length > MAX_PANELS) return null
  for (const bar of [neighbour(parent, "before"), isPanel(panel) ? neighbour(first, "before") : null]) {
    const tabs = bar === null ? [] : tabsIn(bar)
    const tab = tabs.length === kin.length ? tabs[kin.indexOf(panel)] : undefined
    if (tab !== undefined) return tab
  }
  return null
}

/** Of each bar that was searched: all blocks of a page may have the same menu before them. */
const searched = new WeakMap<Element, ReadonlyArray<Element>>()

const tabsIn = (bar: Element): ReadonlyArray<Element> => {
  const known = searched.get(bar)
  if (known !== undefined) return known
  const tabs: Array<Element> = []
  searched.set(bar, tabs)
  findBelow(
    bar,
    (element) => {
      if (isTab(element)) tabs.push(element)
      return tabs.length > MAX_PANELS
    },
    500
  )
  return tabs
}

/** The text of a tab or caption; `null` where there is none. */
export const labelText = (element: Element): string | null => {
  const text = seenText(element, 80)
  return text === "" ? null : text
}
