import { normalise } from "../../evidence/Address.ts"
import { type DomWalk, seenText } from "../dom/DomWalk.ts"
import { attribute, childrenOf, classesOf, type Element, findBelow, hasAttributes, isText } from "../dom/HtmlTree.ts"

const VERSION =
  /^v?\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}(?:[-. ]?(?:x|alpha|beta|rc|dev|pre|lts|latest|stable|current|next|unreleased|eol|legacy)\.?\d*)?(?:\s?\([^)]{1,30}\))?$|^(?:latest|stable|main|master|dev|devel|next|nightly|canary|current|edge|unreleased)(?:\s?\([^)]{1,40}\))?$/i

const SELECTOR_NAME =
  /(?:^|[-_])(?:versions?[-_]?(?:select(?:or)?|switch(?:er)?|picker|dropdown|menu|list|warning-banner)|(?:select|switch|choose)[-_]?versions?|rst-versions|md-version)(?:$|[-_])/i

/** Other links are left out. */
const MAX_LINKS = 50

/**
 * The URLs that version selectors offer: lists of options, menus of links, elements of that name. `null` where there is none;
 * empty where scripts fill it in.
 */
export const versionLinks = (walk: DomWalk, base: string): ReadonlyArray<string> | null => {
  const lists = [...(walk.byName.get("select") ?? []), ...(walk.byName.get("ul") ?? [])].filter((element) =>
    offersVersions(childrenOf(element))
  )
  const named = SELECTOR_ELEMENTS.flatMap((name) => (walk.byName.get(name) ?? []).filter(isNamedSelector))
  const configured = (walk.byName.get("script") ?? []).flatMap(mikeVersions)
  if (lists.length + named.length + configured.length === 0) return null
  const hrefs = [...configured, ...[...lists, ...named].slice(0, MAX_LINKS).flatMap(offeredBy)]
  return [...new Set(hrefs.flatMap((href) => normalise(href, base) ?? []))].slice(0, MAX_LINKS)
}

const SELECTOR_ELEMENTS = ["div", "nav", "details", "select", "ul", "button", "readthedocs-flyout"]

/** Elements of a selector that are looked at. */
const MAX_ELEMENTS = 500

/** Targets of links, and values of options that are URLs. */
const offeredBy = (selector: Element): ReadonlyArray<string> => {
  const hrefs: Array<string> = []
  findBelow(
    selector,
    (element) => {
      const href =
        element.name === "a"
          ? attribute(element, "href")
          : element.name === "option"
            ? attribute(element, "value")
            : null
      if (href !== null && !href.startsWith("#") && (element.name === "a" || /[/]|\.html?$/.test(href)))
        hrefs.push(href)
      return hrefs.length >= MAX_LINKS
    },
    MAX_ELEMENTS
  )
  return hrefs
}

const offersVersions = (options: ReadonlyArray<Element>): boolean =>
  options.length >= 2 &&
  options.length <= 200 &&
  options.filter((option) => VERSION.test(seenText(option, 60)) && !leadsWithin(option)).length >= 2

/** A table of contents of a changelog lists versions too. */
const leadsWithin = (item: Element): boolean =>
  item.name === "li" &&
  findBelow(item, (link) => link.name === "a" && !(attribute(link, "href") ?? "#").startsWith("#"), 50) === null

const isNamedSelector = (element: Element): boolean =>
  element.name === "readthedocs-flyout" ||
  (hasAttributes(element) &&
    [attribute(element, "id") ?? "", ...classesOf(element)].some((name) => SELECTOR_NAME.test(name)))

/** MkDocs Material draws the selector by script from a file beside the versions, and says so in the page's configuration. */
const mikeVersions = (script: Element): ReadonlyArray<string> => {
  const [text] = script.children
  if (
    attribute(script, "id") !== "__config" ||
    text === undefined ||
    !isText(text) ||
    !/"provider"\s*:\s*"mike"/.test(text.data)
  )
    return []
  return [`${/"base"\s*:\s*"([^"]{1,200})"/.exec(text.data)?.[1] ?? "."}/../versions.json`]
}
