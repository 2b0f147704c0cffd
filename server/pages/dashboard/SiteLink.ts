import { plainText } from "../../../engine/text/PlainText.ts"
import { sitePath } from "../kit/PageQuery.ts"
import { html, type VNode } from "../kit/Html.ts"

/** A site's name as a link to its runs. */
export const siteLink = (site: string): VNode => html`<a href=${sitePath(site)}>${plainText(site)}</a>`
