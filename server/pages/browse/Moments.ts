import { html, type VNode } from "../kit/Html.ts"

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const MINUTE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** A moment of RFC 3339 as its day, such as 21 Nov 2026, in UTC. */
export const day = (moment: string): VNode => html`<time datetime=${moment}>${DAY.format(new Date(moment))}</time>`

/** The same to the minute: 21 Nov 2026, 10:14. */
export const minute = (moment: string): VNode => html`<time datetime=${moment}>${MINUTE.format(new Date(moment))}</time>`
