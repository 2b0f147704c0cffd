import { isTab, labelText, tabOf } from "../code/TabLabels.ts"
import { attribute, childrenOf, classesOf, type Element, neighbour, parentOf } from "../dom/HtmlTree.ts"

/** The panels that tabs show, and the tabs themselves, whose text becomes the heading of each panel. */
export interface TabPanels {
  readonly labels: ReadonlyMap<Element, string>
  readonly tabs: ReadonlySet<Element>
}

/** Parents of panels that have neither a role nor a class of their own, such as those of VitePress' code groups. */
const PANEL_PARENTS = new Set(["blocks", "tabbed-content", "tabs-content", "tab-content"])

const PANELS = new Set("tab-pane tabbed-block sd-tab-content sphinx-tabs-panel tab-panel tabpanel".split(" "))

const MAX_PANELS = 2_000

const isPanel = (element: Element): boolean => {
  if (attribute(element, "role") === "tabpanel" || classesOf(element).some((name) => PANELS.has(name))) return true
  const parent = parentOf(element)
  return (
    (parent !== null && classesOf(parent).some((name) => PANEL_PARENTS.has(name))) ||
    neighbour(element, "before")?.name === "label"
  )
}

/** Finds the panels in a part of a page whose tabs say what they show. */
export const tabPanelsIn = (content: Element, byId: (id: string) => Element | null): TabPanels => {
  const labels = new Map<Element, string>()
  const tabs = new Set<Element>()
  const gather = (parent: Element): void => {
    for (const child of childrenOf(parent)) {
      const tab = labels.size < MAX_PANELS && !isTab(child) && isPanel(child) ? tabOf(child, byId) : null
      const label = tab === null ? null : labelText(tab)
      if (tab !== null && label !== null) {
        labels.set(child, label)
        tabs.add(tab)
      }
      gather(child)
    }
  }
  gather(content)
  return { labels, tabs }
}
