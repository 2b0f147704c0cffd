import { type Fix, openedGain, ownGain } from "../../audit/FixFirst.ts"
import type { CriterionStatus, Remedy } from "../../audit/Report.ts"
import { generatorTitle } from "../../rubric/CriterionPage.ts"
import { plainText } from "../../text/PlainText.ts"
import { shownName } from "../../text/ShownName.ts"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"
import { levelClass } from "./LevelColour.ts"
import { type Content, html, type VNode } from "./Html.ts"

/** A button that copies the text of an element, by its id, with `copy.js`; it is not shown where there is no clipboard. `name`: what it is called where its label alone does not say enough. */
export const copyButton = (label: string, source: string, name?: string): VNode =>
  html`<button class="button button-quiet button-small copy no-print" type="button" data-copy=${source} aria-label=${name}>${label}</button>`

const WORDS: Readonly<Record<CriterionStatus, string>> = {
  present: "Present",
  partial: "Partial",
  absent: "Absent",
  inconclusive: "Not checked"
}

/** A status as a word in its colour. */
export const statusPill = (status: CriterionStatus): VNode =>
  html`<span class=${`status status-${status}`}>${WORDS[status]}</span>`

/** In place of a status where what is asked for does not apply to the site, which says nothing about it. */
export const NOT_APPLICABLE: VNode = html`<span class="status status-not-applicable">Not applicable</span>`

/** A score as a number; of an unreliable report `≥ 43`, which is read as "at least 43". */
export const scoreNumber = (value: number, reliable: boolean): Content =>
  reliable
    ? value
    : html`<span class="at-least" title=${`Not reliable: at least ${value}`}><span aria-hidden="true">≥ </span><span class="visually-hidden">at least </span>${value}</span>`

/** A score of 100 as a number and a short bar in the colour of its level; of an unreliable report with "at least". */
export const score = (value: number, reliable: boolean): VNode => html`
  <span class="score-cell">
    ${shareBar({ name: `score-bar ${levelClass(value, 100, reliable)}`, share: value / 100, width: 72, height: 6 })}
    <span class="score-number">${scoreNumber(value, reliable)}</span>
  </span>`

interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number
  /** In pixels. */
  readonly height: number
  /** In pixels; as wide as there is room unless given. */
  readonly width?: number
  readonly name?: string
  readonly category?: string
}

/** A share as a bar; decorative, because the number is beside it. */
export const shareBar = ({ category, height, name, share, width }: ShareBarProps): VNode => html`
  <svg class=${name} width=${width ?? "100%"} height=${height} aria-hidden="true" focusable="false" data-category=${category}>
    <rect class="plot-track" width="100%" height=${height} rx=${height / 2}/>
    ${share <= 0 ? null : html`<rect class="plot-bar" width=${`${Math.round(Math.min(1, share) * 10_000) / 100}%`} height=${height} rx=${height / 2}/>`}
  </svg>`

/** A text of the rubric, in which `backticks` mark code. */
export const codedText = (text: string): Content =>
  text.split(/`([^`]+)`/u).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** The same as plain text. */
export const uncoded = (text: string): string => text.replaceAll("`", "")

/** The width class of a column in `base.css`; `rest` columns share the remaining width. */
type ColumnKind = "rest" | "rank" | "figure" | "points" | "bar" | "date" | "links" | "status" | "category" | "site"

/**
 * The declared column widths of a table, so that a browser can render it before all rows have arrived. Belongs between the
 * caption and the head. `roomy`: how many of the last columns are hidden on a phone.
 */
export const columns = (kinds: ReadonlyArray<ColumnKind>, { roomy = 0 } = {}): VNode => html`
  <colgroup>${kinds.map((kind, index) => html`<col class=${index < kinds.length - roomy ? `col-${kind}` : `col-${kind} roomy`}/>`)}</colgroup>`

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

/** The steps that are left, then those that need no action, ticked. */
export const stepList = ({ steps, steps_done: done = [] }: Remedy): Content => [
  steps.length === 0 ? null : html`<ol class="steps">${steps.map((step) => html`<li>${rubricText(step)}</li>`)}</ol>`,
  done.length === 0
    ? null
    : html`<p class="steps-done-head">Done, or not needed:</p><ul class="steps-done">${done.map((step) => html`<li>${rubricText(step)}</li>`)}</ul>`
]

/** How to do it with the generator that the site is made with. */
export const recipeText = ({ recipe }: Remedy): Content =>
  recipe === undefined
    ? null
    : html`<p>With ${generatorTitle(recipe.generator)}: ${rubricText(recipe.do)} <a href=${recipe.url} rel="noopener noreferrer">Documentation</a></p>`

/** The points that a fix gains, as `gainText` says them, with the words smaller than the number. */
export const gain = (fix: Fix): VNode =>
  html`+${ownGain(fix.criterion)}${fix.includes.length === 0 ? null : html` <span class="opens">opens up to +${openedGain(fix)}</span>`}`

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** The date of an RFC 3339 timestamp in UTC, such as 21 Nov 2026. */
export const shortDay = (moment: string): string => DAY.format(new Date(moment))

/** The same as an element. */
export const day = (moment: string): VNode => html`<time datetime=${forMachines(moment)}>${shortDay(moment)}</time>`

/** The same to the minute: 21 Nov 2026, 10:14. */
export const minute = (moment: string): VNode => {
  const date = new Date(moment)
  return html`<time datetime=${forMachines(moment)}><span class="nowrap">${DAY.format(date)}</span>, ${CLOCK.format(date)}</time>`
}

/** The time of day alone: 10:14. */
export const clock = (moment: string): string => CLOCK.format(new Date(moment))

/** The same as text: 21 Nov 2026, 10:14 UTC. */
export const minuteText = (moment: string): string => `${DAY.format(new Date(moment))}, ${clock(moment)} UTC`

const SHORT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })

/** The same without the year, where there is little room: 21 Nov; `isTimed`: 21 Nov, 10:14. */
export const dayAndMonth = (moment: string, isTimed = false): VNode => {
  const date = new Date(moment)
  return html`<time datetime=${forMachines(moment)} title=${`${DAY.format(date)}, ${CLOCK.format(date)} UTC`}>${SHORT.format(date)}${isTimed ? `, ${clock(moment)}` : ""}</time>`
}

/** HTML allows at most three digits of a second; our timestamps have six. */
const forMachines = (moment: string): string => moment.replace(/(\.\d{3})\d+/, "$1")
