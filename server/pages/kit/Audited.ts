import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { breakable, siteLabel } from "./SiteLabel.ts"
import { codedText } from "./CodedText.ts"

/** Longer URLs are shown truncated; the link is complete. */
const LONGEST = 160

/** Longer URLs are never audited, and are not linked. */
const LONGEST_LINK = 2_048

const bare = (url: string): string => trimTrailingSlashes(url.replace(/^https?:\/\//, ""))

/** The name of a site as people write it: host and path, decoded, without scheme and trailing slash. */
export const siteName = (url: string, longest = LONGEST): string => shownName(bare(url), longest).text

/** The same in a page, with places to break the line and a flag if it looks like another name. */
export const siteHeading = (url: string, longest = LONGEST): VNode => siteLabel(bare(url), longest)

/**
 * A URL of an audited site as a link, shown as its path if it is on `origin`. URLs are untrusted, so only http and https are
 * linked, without a referrer.
 */
export const auditedLink = (url: string, origin: string): Content => {
  const [scheme = ""] = /^https?:\/\//.exec(url) ?? []
  const { text } = shownName(url.slice(url.startsWith(`${origin}/`) ? origin.length : scheme.length), LONGEST)
  const shown = html`<bdi dir="ltr">${breakable(url.startsWith(`${origin}/`) ? text : `${scheme}${text}`)}</bdi>`
  return /^https?:\/\//.test(url) && url.length <= LONGEST_LINK
    ? html`<a href=${url} rel="nofollow noopener noreferrer">${shown}</a>`
    : shown
}

/** Longer quotes of findings are truncated; the JSON is complete. */
const LONGEST_NOTE = 400

/** A text that may quote a site, truncated for readers. */
export const quotedText = (text: string): string => plainText(text, LONGEST_NOTE)

/** Longer than any title or step of a benign rubric. */
const LONGEST_OWN = 1_000

/** A text of the rubric as stored in a report. */
export const rubricText = (text: string): Content => codedText(plainText(text, LONGEST_OWN))
