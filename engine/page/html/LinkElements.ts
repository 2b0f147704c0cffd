import { normalise } from "../../evidence/Address.ts"
import { announcement, MAX_ANNOUNCEMENTS } from "../Announcements.ts"
import { attribute, type Element, parentOf } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import type { Announcement } from "../Page.ts"

/** `<link>` elements of a page, those for looks and loading aside. */
export const announcedByElements = (links: ReadonlyArray<Element>, base: string): ReadonlyArray<Announcement> =>
  links.slice(0, MAX_ANNOUNCEMENTS).flatMap((link) => {
    const href = attribute(link, "href")
    return announcement("element", href ?? "", base, (name) => attribute(link, name))
  })

/** Of the head: search engines and browsers pass over one in the body, which may be a user's text. */
export const canonicalOf = (walk: DomWalk, base: string): string | null => {
  const link = (walk.byName.get("link") ?? []).find(
    (element) =>
      parentOf(element)?.name === "head" &&
      (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/).includes("canonical")
  )
  const href = link === undefined ? null : attribute(link, "href")
  return href === null || href.trim() === "" ? null : normalise(href, base)
}
