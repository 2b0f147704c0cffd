import { readingLength } from "../../text/languages/Language.ts"
import { wordSet } from "../../text/LettersApart.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { isGutter } from "./CodeText.ts"
import { isOtherForm } from "./Formulas.ts"
import {
  attribute,
  classesOf,
  contentOf,
  type Element,
  findBelow,
  hasAttributes,
  isElement,
  isText,
  parentOf
} from "./HtmlTree.ts"

/**
 * Which parts of a page are its content, which surround it on every page, and which are hidden. Told by elements and
 * roles first; by class and id only where generators are known to use them so.
 */

const UNSEEN = wordSet("script style template noframes svg iframe object canvas audio video head title datalist map")

/** Classes by which a text is for screen readers only. */
export const HIDDEN_CLASSES = wordSet(
  "sr-only visually-hidden screen-reader-text screenreader-only visuallyhidden is-hidden-visually"
)

/** Panels that a tab shows: hidden at first, and content all the same. */
export const isTabPanel = (element: Element, classes: ReadonlyArray<string>): boolean =>
  attribute(element, "role") === "tabpanel" || classes.some((name) => TAB_PANELS.has(name))

const TAB_PANELS = wordSet("tab-pane tabbed-block tab-content sd-tab-content sphinx-tabs-panel tab-panel tabpanel")

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** What is hidden until a search in the page finds it is there to be read (HTML, `hidden="until-found"`). */
export const hasHiddenAttribute = (element: Element): boolean => {
  const value = attribute(element, "hidden")
  return value !== null && value.toLowerCase() !== "until-found"
}

/** Shorter texts in a `noscript` say that something is missing, not what it says. By `readingLength`. */
const ALTERNATIVE_CHARACTERS = 120

/** How much of a `noscript` is looked at. */
const ALTERNATIVE_START = 1_000

/** A `noscript` that holds content, and not a word about scripts. */
const isAlternative = (element: Element): boolean => {
  const start = collapse(contentOf(element, ALTERNATIVE_START))
  return readingLength(start) >= ALTERNATIVE_CHARACTERS && !asksForScripts(start)
}

/** What it holds is no text of the page, whoever reads it: a script, a style sheet, a picture, the head. */
export const isNoText = (element: Element): boolean => UNSEEN.has(element.name)

/** Not shown to a reader, or not to be read: scripts, templates, hidden elements, numbers of lines of code. */
export const isUnseen = (element: Element): boolean => {
  if (isNoText(element)) return true
  if (element.name === "noscript" && !isAlternative(element)) return true
  if (element.name === "td" && isGutter(element)) return true
  if (isOtherForm(element)) return true
  if (!hasAttributes(element)) return false
  const classes = classesOf(element)
  if (classes.some((name) => HIDDEN_CLASSES.has(name))) return true
  return isHidden(element) && !isTabPanel(element, classes)
}

/** Hidden by an attribute or its own style. */
export const isHidden = (element: Element): boolean =>
  hasHiddenAttribute(element) ||
  attribute(element, "aria-hidden") === "true" ||
  HIDING_STYLE.test((attribute(element, "style") ?? "").slice(0, 500))

const CONTROLS = wordSet("button select input textarea option optgroup label-control dialog menu")

/** Parts of a form or a tool bar that are pressed, not read, and what is beside the text for its authors. */
export const isControl = (element: Element): boolean =>
  CONTROLS.has(element.name) ||
  attribute(element, "role") === "button" ||
  isEditLink(element) ||
  isLanguageLabel(element)

/** VitePress: the name of the language in the corner of a block of code. */
const isLanguageLabel = (element: Element): boolean =>
  element.name === "span" &&
  attribute(element, "class") === "lang" &&
  (nameOfParent(element, "class") ?? "").startsWith("language-")

const PERMALINK_CLASSES = wordSet(
  "headerlink header-anchor hash-link anchor-link anchorjs-link heading-anchor permalink anchor direct-link toc-anchor sl-anchor-link summary-sig hover-link"
)

/** A link from a heading to itself, or a line of code's number: neither is the page's text. */
export const isPermalink = (element: Element): boolean =>
  element.name === "a"
    ? classesOf(element).some((name) => PERMALINK_CLASSES.has(name))
    : // Retype's `<doc-anchor-trigger to="#options">#</doc-anchor-trigger>`.
      element.name.includes("-") &&
      attribute(element, "to")?.startsWith("#") === true &&
      /^[#¶§]?$/.test(contentOf(element, 10).trim())

const SURROUNDING_TAGS = wordSet("nav footer")
const SURROUNDING_ROLES = wordSet(
  "navigation banner contentinfo search complementary menu menubar toolbar doc-toc tablist"
)

const SURROUNDING_NAMES = wordSet(
  "related sphinxsidebar sphinxsidebarwrapper wy-nav-side wy-side-scroll wy-breadcrumbs rst-versions rst-footer-buttons md-sidebar" +
    " md-header md-footer md-tabs book-summary book-header nav_wrap toc-wrapper theme-doc-toc-desktop theme-doc-toc-mobile" +
    " theme-doc-sidebar-container theme-edit-this-page vpdocaside vpdocfooter vpnav vpsidebar vplocalnav page-edit page-nav" +
    " top-nav bottom-nav sub-nav fixednav topnav bottomnav subnav skipnav skip-nav navpadding edit-this-page edit-page-link skip-link" +
    " skip-to-content breadcrumb breadcrumbs menu-content api-menu search-results search_results topbar-nav prev-next-footer" +
    " next-prev post-pagination rustdoc-breadcrumbs sidebar-elems"
)

const SURROUNDING_ENDING =
  /(?:^|[-_])(?:sidebar|sidenav|side-nav|toc|table-of-contents|breadcrumbs?|navbar|topbar|skip-?links?|skip-?nav|pagination|pager|pagefind-ui)$/

const MODULE_NAMES =
  /^(?:tableOfContents|tocCollapsible|tocDesktop|tocMobile|breadcrumbsContainer|docSidebarContainer)[A-Z_]/

const SWITCH = /^(?:has|with|no|without|hide|show|is|js|use|enable)[-_]/

const namesSurrounding = (name: string): boolean => {
  if (name.includes(":") || name.includes("[")) return false
  const lower = name.toLowerCase()
  return (
    SURROUNDING_NAMES.has(lower) || MODULE_NAMES.test(name) || (SURROUNDING_ENDING.test(lower) && !SWITCH.test(lower))
  )
}

const CALLOUT =
  /(?:^|[-_])(?:notice|note|warning|success|info|tip|danger|caution|important|hint|admonition|callout|alert|aside|example|attention|error|deprecated)(?:$|[-_])/i

const isCallout = (element: Element, classes: ReadonlyArray<string>): boolean =>
  attribute(element, "role") === "note" || classes.some((name) => CALLOUT.test(name) && !namesSurrounding(name))

const isContentRoot = (element: Element): boolean =>
  element.name === "main" || element.name === "article" || attribute(element, "role") === "main"

/**
 * Navigation, sidebar, table of contents, breadcrumbs, page header or footer.
 *
 * @param inContent whether it is within an article, main or a generator's container: a header there is the content's own.
 */
export const isSurrounding = (element: Element, inContent: boolean): boolean => {
  const { name: tagName } = element
  if (tagName === "body" || tagName === "html" || isContentRoot(element)) return false
  if (SURROUNDING_TAGS.has(tagName)) return !(tagName === "nav" && inContent && holdsCards(element))
  if (tagName === "header" && !inContent) return true
  const role = attribute(element, "role")
  if (role !== null && SURROUNDING_ROLES.has(role)) return true
  const classes = !hasAttributes(element) ? [] : classesOf(element)
  if (tagName === "aside" && !isCallout(element, classes)) return true
  const id = attribute(element, "id")
  const named = classes.some(namesSurrounding) || (id !== null && !HEADINGS.test(tagName) && namesSurrounding(id))
  // A wrapper of the whole page may be called after what it also holds, and VitePress calls the content after the path of the page.
  return named && containerName(element) === null && !holdsContentRoot(element) && !(inContent && listsPages(element))
}

/** Cards that lead to the parts of a documentation: the links of a menu have no paragraphs. */
const holdsCards = (nav: Element): boolean => {
  const isProse = (below: Element): boolean =>
    below.name === "p" && contentOf(below, LEAST_PROSE).trim().length >= LEAST_PROSE
  return (
    findBelow(nav, (below) => below.name === "a" && findBelow(below, isProse, MOST_IN_MENU) !== null, MOST_IN_MENU) !==
    null
  )
}

/** Shorter texts are labels, in characters. */
const LEAST_PROSE = 30

/** How much of a menu is looked at, in nodes. */
const MOST_IN_MENU = 2_000

/** A list of other pages, the content of a section's start page, whatever its class: a table of contents leads to parts of its own page. */
const listsPages = (element: Element): boolean => {
  if (element.name !== "ul" && element.name !== "ol") return false
  const link = findBelow(element, (below) => below.name === "a" && attribute(below, "href") !== null)
  return link !== null && attribute(link, "href")?.includes("#") === false
}

const holders = new WeakSet<Element>()

/** Content was found below it. Elements in between hold it too, so wrappers in wrappers are not searched one by one. */
const holdsContentRoot = (element: Element): boolean => {
  if (holders.has(element)) return true
  const root = findBelow(element, isContentRoot)
  if (root === null) return false
  for (let holder = parentOf(root); holder !== null && holder !== element; holder = parentOf(holder))
    holders.add(holder)
  return true
}

const HEADINGS = /^(?:h[1-6]|section|pre|code|a|span|dt|dd)$/

const CONTENT_CLASSES = wordSet(
  "rst-content theme-doc-markdown vp-doc theme-default-content markdown-section markdown-body mdx-content sl-markdown-content td-content" +
    " contentContainer content-inner main-content api-content redoc-wrap rm-Markdown rm-Article md-content__inner bd-article nextra-content" +
    " book-body docs-content doc-content docstring-content"
)

const CONTENT_IDS = wordSet("main-content content-area filecontents quarto-document-content documentation-content")

/**
 * The name of a content container: `main`, `article`, `[role=main]`, or that of a known generator; `null` for any other
 * element. Containers may be nested.
 */
export const containerName = (element: Element): string | null => {
  const { name: tagName } = element
  if (tagName === "main" || tagName === "article") return tagName
  if (attribute(element, "role") === "main") return "[role=main]"
  if (tagName !== "div" && tagName !== "section") return null
  const id = attribute(element, "id")
  if (id !== null && (CONTENT_IDS.has(id) || isNestedContent(element, id))) return `#${id}`
  const known = classesOf(element).find((name) => CONTENT_CLASSES.has(name) || isSlateContent(element, name))
  return known === undefined ? null : `.${known}`
}

const nameOfParent = (element: Element, name: "id" | "class"): string | null =>
  element.parent !== null && isElement(element.parent) ? attribute(element.parent, name) : null

/** YARD: `#main > #content`. */
const isNestedContent = (element: Element, id: string): boolean =>
  id === "content" && nameOfParent(element, "id") === "main"

/** Slate: `.page-wrapper > .content`. */
const isSlateContent = (element: Element, name: string): boolean =>
  name === "content" && nameOfParent(element, "class") === "page-wrapper"

/** A longer text that asks for scripts has more to say than that. */
const NOTICE_CHARACTERS = 600

const NEEDS_JAVASCRIPT =
  /\b(?:enable|requires?|need|needs|without|turn on|disabled?|support)\b.{0,60}\bjava ?script\b|\bjava ?script\b.{0,60}\b(?:required|disabled|enabled?|not (?:enabled|available|supported)|to (?:run|use|view))\b/i

/** The same in other languages; stems begin a word, as "alternative" and "interactive" hold two of them. */
const FOREIGN_JAVASCRIPT =
  /(?<![a-zà-ÿа-я])(?:aktivier|einschalt|benötig|erforder|activ(?:e[rz]|ar)|nécessite|habilit|requier|ativar|requer(?!y)|включ|нужен|требует)[^\n]{0,60}java ?script|java ?script[^\n]{0,60}(?:aktivier|einschalt|benötigt|erforderlich|activé|désactivé|nécessaire|habilit|desactiv|desativ|ativad|necessário|включ|отключ|有効|必要|启用|啟用|开启|禁用|활성|필요)/iu

/** A text of at most 600 characters that tells its reader to let scripts run. */
export const asksForScripts = (text: string): boolean =>
  text.length <= NOTICE_CHARACTERS && (NEEDS_JAVASCRIPT.test(text) || FOREIGN_JAVASCRIPT.test(text))

/** Where a repository's host edits a file. */
const EDITED = /^https?:\/\/[^/]{1,200}\/[^?#]{1,500}\/_?edit\/[^?#]|[?&]mode=edit(?:&|$)/i

/** Where a repository's host shows a file: a link there is for editors if it says so. */
const SHOWN = /^https?:\/\/[^/]{1,200}\/[^?#]{1,500}\/(?:blob|tree|src|raw)\/[^?#]/i

const EDIT =
  /^[^\p{L}]*(?:edit|improve|suggest|editar|modifier|modifica|bearbeiten|redigera|edytuj|редактировать|编辑|編輯|編集|편집)(?:$|[^\p{L}]|\p{Lo})/iu

/** How many siblings are looked at. */
const SIBLINGS = 50

/** A link to edit the page that is alone in its block: it is on every page, and for the page's authors. */
const isEditLink = (element: Element): boolean => {
  if (element.name !== "a") return false
  const href = (attribute(element, "href") ?? "").trim().slice(0, 1_000)
  if (!EDITED.test(href) && !(SHOWN.test(href) && EDIT.test(contentOf(element, 100).trim()))) return false
  const parent = parentOf(element)
  return (
    parent === null ||
    parent.children.slice(0, SIBLINGS).every((beside) => !isText(beside) || !/[\p{L}\p{N}]/u.test(beside.data))
  )
}

const COUNTER_TAGS = new Set(["span", "b", "strong", "i"])

const COUNTER = /^\s*\d{1,3}[.)]?\s*$/

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
  if (!COUNTER_TAGS.has(element.name) || !COUNTER.test(contentOf(element, 8))) return false
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
