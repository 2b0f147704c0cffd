import { normalise } from "../../evidence/Address.ts"
import { attribute } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"

/** What relative links of a page are resolved against: the first `<base href>` (HTML, 4.2.3), else the page's URL. */
export const baseOf = (walk: DomWalk, url: string): string => {
  const [href] = (walk.byName.get("base") ?? []).flatMap((base) => attribute(base, "href") ?? [])
  return (href === undefined ? null : normalise(href, url)) ?? url
}
