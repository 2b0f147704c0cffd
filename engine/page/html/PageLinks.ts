import { isOverlong, normalise } from "../../evidence/Address.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { attribute, contentOf, type Element } from "../dom/HtmlTree.ts"
import { isHidden } from "../dom/Landmarks.ts"
import type { ChosenContent } from "./MainContentReader.ts"
import { isReferenceAddress, type PageLink } from "../Page.ts"
import { type DomWalk, labelOf } from "../dom/DomWalk.ts"

/** What relative links of a page are resolved against: the first `<base href>` (HTML, 4.2.3), else the page's URL. */
export const baseOf = (walk: DomWalk, url: string): string => {
  const [href] = (walk.byName.get("base") ?? []).flatMap((base) => attribute(base, "href") ?? [])
  return (href === undefined ? null : normalise(href, url)) ?? url
}

const MAX_LINKS = 5_000

/** Links to http(s) URLs in document order, those of menus only if `withMenus`, the first `MAX_LINKS`; then frames. */
export const readLinks = (
  walk: DomWalk,
  base: string,
  content: ChosenContent,
  withMenus = true
): ReadonlyArray<PageLink> => {
  const links: Array<PageLink> = []
  for (const { element, order, seen, surrounding } of walk.links) {
    if (links.length === MAX_LINKS) break
    if (!withMenus && (surrounding || !seen)) continue
    const target = targetOf(attribute(element, "href"), base)
    const rel = (attribute(element, "rel") ?? "")
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "")
    // What no reader sees and the site asks not to follow is a trap for crawlers.
    if (target === null || (!seen && rel.includes("nofollow"))) continue
    links.push({
      ...target,
      text: labelOf(element),
      rel,
      place: surrounding || !seen ? "nav" : isWithin(order, content) ? "main" : "other",
      seen
    })
  }
  return [...links, ...readFrames(walk, base, content)]
}

const isWithin = (order: number, { container }: ChosenContent): boolean =>
  order > container.from && order <= container.to

const targetOf = (written: string | null, base: string): Pick<PageLink, "url" | "fragment"> | null => {
  const href = written?.trim() ?? ""
  const url = href === "" ? null : normalise(href, base)
  const hash = href.indexOf("#")
  return url === null ? null : { url, fragment: hash < 0 ? "" : href.slice(hash + 1) }
}

const MAX_FRAMES = 50

/** A page with more text of its own than this shows examples or videos in its inline frames, or the API reference it introduces. */
const FRAMED_CHARACTERS = 400

const FRAMED_VIEWER = /\/(?:swagger|redoc|rapi-?doc|scalar|openapi|stoplight)/i

const framesReference = ({ url }: Pick<PageLink, "url">): boolean =>
  isReferenceAddress(url) || FRAMED_VIEWER.test(new URL(url).pathname)

/**
 * What the page shows in place of content: the frames of a frameset, and inline frames where it has next to no text itself or they
 * show an API reference. One without a title is named by the page's heading.
 */
const readFrames = (walk: DomWalk, base: string, { segments }: ChosenContent): ReadonlyArray<PageLink> => {
  const ownCharacters = segments.reduce((sum, { text }) => sum + text.length, 0)
  const inline = (walk.byName.get("iframe") ?? []).filter(isShownFrame)
  const [heading] = walk.byName.get("h1") ?? []
  const about = heading === undefined ? "" : labelOf(heading)
  return [...(walk.byName.get("frame") ?? []), ...inline].slice(0, MAX_FRAMES).flatMap((frame) => {
    const target = targetOf(attribute(frame, "src"), base)
    if (target === null || (frame.name === "iframe" && ownCharacters > FRAMED_CHARACTERS && !framesReference(target)))
      return []
    const text = collapse(attribute(frame, "title") ?? "") || about
    return [{ ...target, text, rel: [], place: "main", seen: true }]
  })
}

/** Trackers and scripts' helpers are frames of no size. One that its own handler shows has waited for what is in it. */
const isShownFrame = (frame: Element): boolean =>
  (!isHidden(frame) || /\.style\b/.test((attribute(frame, "onload") ?? "").slice(0, 500))) &&
  ![attribute(frame, "width"), attribute(frame, "height")].some((size) => size === "0" || size === "1")

/** More text beside its links than this makes a page of its own. */
const MENU_CHARACTERS = 120

/** Each of its links names another frame to open in, and it says next to nothing itself: the menu of a frameset. */
export const isFrameMenu = (walk: DomWalk, mainCharacters: number): boolean => {
  const [base] = walk.byName.get("base") ?? []
  const otherwise = base === undefined ? null : attribute(base, "target")
  const links = walk.links.filter(({ element }) => attribute(element, "href") !== null)
  if (
    links.length === 0 ||
    !links.every(({ element }) => FRAME_NAME.test(attribute(element, "target") ?? otherwise ?? ""))
  )
    return false
  const linked = links.reduce((sum, { element }) => sum + labelOf(element).length, 0)
  return mainCharacters - linked <= MENU_CHARACTERS
}

/** `_blank`, `_top` and their like are no frames; `blank` is a slip for the first. */
const FRAME_NAME = /^(?!_|(?:blank|new)$)./i

/** Links that `readLinks` leaves out because of the length of their URLs. */
export const countOverlong = (walk: DomWalk): number =>
  walk.links.filter(({ element }) => isOverlong(attribute(element, "href") ?? "")).length

/** `#!` alone is a button. */
const ROUTE = /^(?:[^#]*\/)?#(?:!\/?[^/\s]|!?\/)/

/** A page with more text than this is there whatever its links say, in characters. */
const ROUTED_CHARACTERS = 400

/** Another host's routes are none of this site. */
const isRoute = (href: string, base: string): boolean =>
  ROUTE.test(href) && URL.parse(href, base)?.host === new URL(base).host

/** Pages told apart by fragments: links to routes, or the settings of docsify without its history mode. */
export const isHashRouted = (walk: DomWalk, base: string, mainCharacters: number): boolean => {
  const hrefs = (walk.byName.get("a") ?? []).map((link) => (attribute(link, "href") ?? "").slice(0, 500))
  const routes = new Set(hrefs.filter((href) => isRoute(href, base)))
  if (routes.size >= 3 || (routes.size > 0 && mainCharacters <= ROUTED_CHARACTERS)) return true
  return (walk.byName.get("script") ?? []).some((script) => {
    if (attribute(script, "src") !== null) return false
    const code = contentOf(script, 20_000)
    return code.includes("$docsify") && !/^[^/\n]*routerMode\s*:\s*["']history["']/m.test(code)
  })
}
