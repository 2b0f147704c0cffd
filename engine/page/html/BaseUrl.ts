import { normalise } from "../../evidence/Address.ts"
import { attribute } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"

/** What relative links of a page are resolved against: `<base href>`, else the page's URL. */
export const baseOf = (walk: DomWalk, url: string): string => {
  const [first] = walk.byName.get("base") ?? []
  const href = first === undefined ? null : attribute(first, "href")
  return (href === null ? null : normalise(href, url)) ?? url
}
