import { html, type VNode } from "./Html.ts"

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
