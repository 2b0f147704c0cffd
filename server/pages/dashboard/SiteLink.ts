import { plainText } from "../../../engine/audit/PlainText.ts"
import { sitePath } from "../browse/PageQuery.ts"
import { html, type VNode } from "../kit/Html.ts"

/** A site's name, leading to all its runs. */
export const siteLink = (site: string): VNode => html`<a href=${sitePath(site)}>${plainText(site)}</a>`
