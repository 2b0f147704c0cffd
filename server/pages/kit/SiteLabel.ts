import { shownName } from "../../../engine/text/ShownName.ts"
import { type Content, html, type VNode } from "./Html.ts"

/** The parts of a name or URL between which a line may break, none of them within a word. */
export const unbrokenParts = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[^\s/.\-_?&=][/.\-_?&=])(?=[^/])/u)

/** A name or URL with places to break the line. */
export const breakable = (text: string): Content =>
  unbrokenParts(text).map((part, index) => (index === 0 ? part : html`<wbr/>${part}`))

/** The name of a site in a page: decoded, isolated from the direction of the text around it, with places to break the line. */
export const siteLabel = (site: string, longest?: number): VNode => {
  const { isLookalike, text } = shownName(site, longest)
  return html`<bdi dir="ltr">${breakable(text)}</bdi>${isLookalike ? LOOKALIKE : null}`
}

const LOOKALIKE = html` <span class="status status-partial" title="This name has letters that look like those of another name.">lookalike name</span>`
