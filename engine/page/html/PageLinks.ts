import { isOverlong, normalise } from "../../evidence/Address.ts"
import { attribute, contentOf } from "../dom/HtmlTree.ts"
import type { ChosenContent } from "./MainContentReader.ts"
import type { PageLink } from "../Page.ts"
import type { LabelledLink } from "./PageControls.ts"
import { labelOf, type DomWalk } from "../dom/DomWalk.ts"

const MAX_LINKS = 5_000

/** Links to http(s) URLs in document order, the first `MAX_LINKS`. */
export const readLinks = (walk: DomWalk, base: string, { container }: ChosenContent): ReadonlyArray<PageLink> => {
  const links: Array<PageLink> = []
  for (const { element, order, surrounding } of walk.seen.get("a") ?? []) {
    if (links.length === MAX_LINKS) break
    const href = attribute(element, "href")?.trim() ?? ""
    const url = href === "" ? null : normalise(href, base)
    if (url === null) continue
    const hash = href.indexOf("#")
    links.push({
      url,
      fragment: hash < 0 ? "" : href.slice(hash + 1),
      text: labelOf(element),
      rel: (attribute(element, "rel") ?? "")
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ""),
      place: surrounding ? "nav" : order > container.from && order <= container.to ? "main" : "other"
    })
  }
  return links
}

/** Links that `readLinks` leaves out because of the length of their URLs. */
export const countOverlong = (walk: DomWalk): number =>
  (walk.seen.get("a") ?? []).filter(({ element }) => isOverlong(attribute(element, "href") ?? "")).length

/** Links with their labels, those of menus that open on a press included. */
export const labelledLinks = (walk: DomWalk, base: string): ReadonlyArray<LabelledLink> =>
  (walk.byName.get("a") ?? []).slice(0, MAX_LINKS).flatMap((element) => {
    const href = attribute(element, "href")?.trim() ?? ""
    const url = href === "" || href.startsWith("#") ? null : normalise(href, base)
    return url === null ? [] : [{ url, label: labelOf(element).slice(0, 200) }]
  })

const ROUTE = /^(?:[^#]*\/)?#(?:!|\/)/

/** A page with more text than this is there whatever its links say, in characters. */
const ROUTED_CHARACTERS = 400

/** Another host's routes are none of this site. */
const isRoute = (href: string, base: string): boolean =>
  ROUTE.test(href) && URL.parse(href, base)?.host === new URL(base).host

/** Pages told apart by fragments: links to routes, or the settings of docsify without its history mode. */
export const isHashRouted = (walk: DomWalk, base: string, mainCharacters: number): boolean => {
  const routes = (walk.byName.get("a") ?? []).filter((link) =>
    isRoute((attribute(link, "href") ?? "").slice(0, 500), base)
  )
  if (routes.length >= 3 || (routes.length > 0 && mainCharacters <= ROUTED_CHARACTERS)) return true
  return (walk.byName.get("script") ?? []).some((script) => {
    if (attribute(script, "src") !== null) return false
    const code = contentOf(script, 20_000)
    return code.includes("$docsify") && !/^[^/\n]*routerMode\s*:\s*["']history["']/m.test(code)
  })
}
