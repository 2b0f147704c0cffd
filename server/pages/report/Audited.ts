import { plainText } from "../../../engine/audit/PlainText.ts"
import { type Content, html } from "../kit/Html.ts"

/** The longest address that is shown; the link has the whole. */
const LONGEST = 160

/** The name of a site as people write it: host and path, without scheme and trailing slash. */
export const siteName = (url: string): string => plainText(url.replace(/^https?:\/\//, "").replace(/\/+$/, ""), LONGEST)

/**
 * An address of an audited site as a link: its path where it is on `origin`. Whose address it is nobody knows, so it
 * leads out only where it is plain HTTP, and says nothing of where the reader came from.
 */
export const auditedLink = (url: string, origin: string): Content => {
  const shown = plainText(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url, LONGEST)
  return /^https?:\/\//.test(url) ? html`<a href=${url} rel="nofollow noopener noreferrer">${shown}</a>` : shown
}
