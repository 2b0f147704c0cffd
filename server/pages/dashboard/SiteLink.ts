import { sitePath } from "../kit/PageQuery.ts"
import { html, type VNode } from "../kit/Html.ts"
import { siteLabel } from "../kit/SiteLabel.ts"

/** A site's name as a link to its runs. */
export const siteLink = (site: string): VNode => html`<a href=${sitePath(site)}>${siteLabel(site)}</a>`
