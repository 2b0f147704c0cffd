import { attribute, contentOf, type Element, findBelow } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import { asksForScripts } from "../dom/ScriptNotice.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import type { ChosenContent } from "./MainContentReader.ts"

/** How far an element is searched, in nodes and in characters of blanks. */
const NODES = 2_000
const BLANKS = 1_000

const BLOCKS = new Set("div main section article".split(" "))

/**
 * Scripts may fill the empty main content: the page shows no text at all, says that it needs scripts, or has an empty element that
 * scripts can find by its id or its own kind. A section without a text has none of these.
 */
export const isMounted = (walk: DomWalk, { container }: ChosenContent): boolean => {
  if (!walk.byName.has("script")) return false
  if (walk.visibleCharacters === 0 || (walk.byName.get("noscript") ?? []).some(isNotice)) return true
  const [body] = walk.byName.get("body") ?? []
  const content = container.element ?? body
  return content !== undefined && (isMount(content) || findBelow(content, isMount, NODES) !== null)
}

const isNotice = (element: Element): boolean => asksForScripts(collapse(contentOf(element, BLANKS)))

const isMount = (element: Element): boolean =>
  (element.name.includes("-") || (BLOCKS.has(element.name) && (attribute(element, "id") ?? "") !== "")) &&
  contentOf(element, BLANKS).trim() === ""
