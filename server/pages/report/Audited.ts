import { plainText } from "../../../engine/audit/PlainText.ts"
import { trimTrailingSlashes } from "../../../engine/evidence/Trim.ts"
import { type Content, html } from "../kit/Html.ts"
import { codedText } from "../rubric/CodedText.ts"

/** The longest address that is shown; the link has the whole. */
const LONGEST = 160

/** Longer addresses are not audited, and lead nowhere that is worth going to. */
const LONGEST_LINK = 2_048

/** The name of a site as people write it: host and path, without scheme and trailing slash. */
export const siteName = (url: string): string => plainText(trimTrailingSlashes(url.replace(/^https?:\/\//, "")), LONGEST)

/**
 * An address of an audited site as a link: its path where it is on `origin`. Whose address it is nobody knows, so it
 * leads out only where it is plain HTTP, and says nothing of where the reader came from.
 */
export const auditedLink = (url: string, origin: string): Content => {
  const shown = plainText(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url, LONGEST)
  return /^https?:\/\//.test(url) && url.length <= LONGEST_LINK ? html`<a href=${url} rel="nofollow noopener noreferrer">${shown}</a>` : shown
}

/** The longest quote of what was seen; the JSON has the whole. */
const LONGEST_NOTE = 400

/** A text that may quote a site, cut to what a reader takes in. */
export const quoted = (text: string): string => plainText(text, LONGEST_NOTE)

/** Longer than any title or step of a rubric that was not made to do harm. */
const LONGEST_OWN = 1_000

/** A text of the rubric that judged, as it stands in a report. */
export const rubricText = (text: string): Content => codedText(plainText(text, LONGEST_OWN))
