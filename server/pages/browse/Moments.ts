import { html, type VNode } from "../kit/Html.ts"

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** A moment of RFC 3339 as its day, such as 21 Nov 2026, in UTC. */
export const day = (moment: string): VNode => html`<time datetime=${moment}>${DAY.format(new Date(moment))}</time>`

/** The same to the minute: 21 Nov 2026, 10:14. */
export const minute = (moment: string): VNode => {
  const date = new Date(moment)
  return html`<time datetime=${moment}><span class="nowrap">${DAY.format(date)}</span>, ${CLOCK.format(date)}</time>`
}
