import { normalise, pageKey } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { readTree, seenText } from "../../page/dom/DomWalk.ts"
import { attribute, childrenOf, type Document, type Element, findBelow, isElement } from "../../page/dom/HtmlTree.ts"
import { isSurrounding, isUnseen } from "../../page/dom/Landmarks.ts"
import { isReferenceAddress, type Page } from "../../page/Page.ts"
import { speaksOfOwner } from "../../site/address/PageUrl.ts"

/** What the menus of a site say of its pages. */
export interface Navigation {
  /** The page's place in the menus, from 0; pages that no menu names come after all others. */
  readonly placeOf: (url: string) => number
  /** The title of the menu's part that the page is in; empty where there is none. */
  readonly sectionOf: (url: string) => string
}

/** Pages whose menus are read: each page has the same, or that of its part of the site. */
const MENU_PAGES = 60

/** Menus of so many pages are read for their parts. */
const PARTED_MENUS = 3

/** Reads the menus of a site. `pages`: in any order, the base page among them. */
export const navigationOf = (base: Page | null, pages: ReadonlyArray<Page>): Navigation => {
  const others = pages.filter((page) => page !== base).toSorted((one, other) => (one.url < other.url ? -1 : 1))
  const menus = [...(base === null ? [] : [base]), ...others.slice(0, MENU_PAGES)]
  const places = placesIn(menus, base)
  const sections = sectionsIn(menus)
  return {
    placeOf: (url) => places.get(pageKey(url)) ?? Number.POSITIVE_INFINITY,
    sectionOf: (url) => sections.get(pageKey(url)) ?? ""
  }
}

/** One order for the links of all menus: what a further menu adds comes after what it follows there. Of the base page all links count. */
const placesIn = (menus: ReadonlyArray<Page>, base: Page | null): ReadonlyMap<string, number> => {
  const next = new Map<string, string | null>()
  let first: string | null = null
  let last: string | null = null
  for (const page of menus) {
    let before: string | null = null
    for (const { fragment, place, url } of page.links) {
      if (fragment !== "" || (place !== "nav" && page !== base)) continue
      const key = pageKey(url)
      // Titles of parts that can be opened often link to the page itself.
      if (next.has(key) && key === pageKey(page.url)) continue
      // The way back to the start page is in many places of a menu.
      if (next.has(key) && page !== base && base !== null && key === pageKey(base.url)) continue
      if (!next.has(key)) {
        const after: string | null = before ?? last
        if (after === null) first = key
        next.set(key, after === null ? null : (next.get(after) ?? null))
        if (after !== null) next.set(after, key)
        if (after === last) last = key
      }
      before = key
    }
  }
  const places = new Map<string, number>()
  for (let key = first; key !== null; key = next.get(key) ?? null) places.set(key, places.size)
  return places
}

/** Fewer pages are no part of a menu. */
const LEAST_IN_SECTION = 2

/** The parts of the longest menus, by page. */
const sectionsIn = (menus: ReadonlyArray<Page>): ReadonlyMap<string, string> => {
  const [base, ...others] = menus
  const longest = others.toSorted((one, other) => menuLength(other) - menuLength(one)).slice(0, PARTED_MENUS - 1)
  const found = new Map<string, string>()
  for (const page of [...(base === undefined ? [] : [base]), ...longest]) {
    if (page.format !== "html" || page.answer.cut) continue
    for (const [key, section] of menuParts(page)) if (!found.has(key)) found.set(key, section)
  }
  const counts = Map.groupBy(found, ([, section]) => section)
  return new Map([...found].filter(([, section]) => (counts.get(section)?.length ?? 0) >= LEAST_IN_SECTION))
}

const menuLength = ({ links }: Page): number => links.filter(({ place }) => place === "nav").length

/** Titles of menus, not of their parts. */
const GENERIC =
  /^(?:(?:main |site |sidebar |primary |docs )?(?:menu|navigation)|sidebar|contents|table of contents|on this page|sitemap|search|home)$/i

const LONGEST_TITLE = 60

/** Their entries stand for themselves: a bar's first link is no title of what follows. */
const LISTS = new Set(["nav", "ul", "ol"])

/** A heading titles what follows it in any menu; a menu of one link is none for the next menu. */
const mayTitle = (element: Element, parent: Element): boolean =>
  /^h[1-6]$/.test(element.name) || (!LISTS.has(parent.name) && element.name !== "nav")

/** Whether an element holds the links below the title before it. */
const isTitled = (element: Element | undefined): boolean =>
  element !== undefined &&
  (element.name === "ul" || element.name === "ol" ? linksIn(element) > 0 : element.name !== "a" && linksIn(element) > 1)

const menuParts = (page: Page): ReadonlyMap<string, string> => {
  const parts = new Map<string, string>()
  const assign = (link: Element, section: string): void => {
    const href = (attribute(link, "href") ?? "").trim()
    const url = href === "" || href.includes("#") ? null : normalise(href, page.url)
    if (url !== null && section !== "" && !parts.has(pageKey(url))) parts.set(pageKey(url), section)
  }
  const walkMenu = (parent: Element, section: string): void => {
    const children = childrenOf(parent)
    let title = ""
    for (const [index, child] of children.entries()) {
      const links = linksIn(child)
      if (links === 0) title = titleOf(child) || title
      else if (links === 1 && mayTitle(child, parent) && isTitled(children[index + 1])) {
        title = titleOf(child)
        const link = child.name === "a" ? child : findBelow(child, ({ name }) => name === "a", MENU_NODES)
        if (link !== null) assign(link, section || title)
      } else if (child.name === "a") assign(child, section || title)
      else walkMenu(child, section || title)
    }
  }
  const search = (parent: Document | Element): void => {
    for (const child of parent.children.filter(isElement)) {
      if (isSurrounding(child, false) && child.name !== "footer" && child.name !== "header") walkMenu(child, "")
      else search(child)
    }
  }
  search(readTree(textOf(page.answer).text).document)
  return parts
}

const MENU_NODES = 5_000

const titleOf = (element: Element): string => {
  const title = isUnseen(element) ? "" : seenText(element, LONGEST_TITLE + 1)
  return title.length > LONGEST_TITLE || GENERIC.test(title) || !/\p{L}/u.test(title) ? "" : title
}

/** How many links an element is or holds: none, one or (2) more. */
const linksIn = (element: Element): number => {
  let count = isLink(element) ? 1 : 0
  findBelow(
    element,
    (below) => {
      if (isLink(below)) count++
      return count > 1
    },
    MENU_NODES
  )
  return count
}

const isLink = (element: Element): boolean => element.name === "a" && attribute(element, "href") !== null

const ASIDE =
  /\/(?:news|community|contribut\w{0,20}|contact(?:-us)?|about(?:-us)?|imprint|impressum|licen[cs]es?|code[-_]of[-_]conduct|careers|sponsors?|team|credits|brand(?:ing)?)(?:\/|\.\w{2,8}$|$)/i

const ASIDE_TITLE =
  /^(?:blog|news|community|contribut\w{0,20}|contact(?: us)?|imprint|impressum|legal(?: notice)?|privacy(?: policy)?|terms(?: (?:of|and) [\w ]{1,30})?|licen[cs]es?|code of conduct|press|careers)$/i

/** A page about the people, the news or the law of a product, not about how to use it: an API may have customers and teams, too. */
export const isAside = ({ title, url }: { readonly title: string; readonly url: string }): boolean =>
  (!isReferenceAddress(url) && (speaksOfOwner(url) || ASIDE.test(new URL(url).pathname))) || ASIDE_TITLE.test(title)

/** What somebody who uses the product needs first, in that order. */
const PRODUCT: ReadonlyArray<RegExp> = [
  /\b(?:quick-?\s?start|getting[-\s]started|get[-\s]started|first[-\s]steps|introduction|overview|install(?:ation)?)\b/i,
  /\b(?:auth(?:entication|orization)?|api[-\s]keys?|credentials)\b/i,
  /\b(?:api|reference|endpoints?|rest)\b/i,
  /\b(?:errors?|status[-\s]codes)\b/i,
  /\b(?:rate[-\s]limit(?:s|ing)?|limits|quotas?|pagination)\b/i,
  /\b(?:guides?|tutorials?|how[-\s]to|usage)\b/i
]

/** The place of a page among those that somebody needs first; `PRODUCT.length` for others. */
export const productPlace = ({ title, url }: { readonly title: string; readonly url: string }): number => {
  const words = `${title} ${new URL(url).pathname.split("/").at(-1) || new URL(url).pathname.split("/").at(-2) || ""}`
  const place = PRODUCT.findIndex((pattern) => pattern.test(words))
  return place === -1 ? PRODUCT.length : place
}
