import { originOf } from "../evidence/Address.ts"
import { type Exchange, type Fault, isAnswer, mediaType } from "../evidence/Exchange.ts"
import type { Base } from "../site/Gathering.ts"
import type { Page } from "../site/Page.ts"
import type { Refusal } from "./AuditError.ts"
import { plainText } from "./PlainText.ts"

/** robots.txt forbids `docgauge`, by that name. */
export const shutOut: Refusal = {
  reason: "shut_out",
  message: "robots.txt of the site forbids docgauge by name, so the site is not audited.",
  advice: "If the site is yours, allow the user agent docgauge in robots.txt."
}

/** Faults after which there is no point in asking for anything else. */
const UNREACHABLE: ReadonlySet<Fault["kind"]> = new Set(["bad_address", "not_public", "dns", "refused", "tls", "connect_timeout", "not_recorded", "archive_cut"])

/** The site took its time, and nothing came of it. */
const HANGING: ReadonlySet<Fault["kind"]> = new Set(["first_byte_timeout", "stalled", "exchange_timeout"])

const hangs = (exchange: Exchange): boolean => !isAnswer(exchange) && HANGING.has(exchange.kind)

/**
 * Why an audit ends at its base: it leads away, or to nothing at all. `null` where it goes on: a base that hangs may be one
 * page's trouble, but not where robots.txt hung before it.
 */
export const refusalOfBase = ({ audited, exchange, redirects }: Base, robots: Exchange): Refusal | null => {
  if (isAnswer(exchange)) return null
  if (exchange.kind === "off_site" && redirects.length > 0) return leftSite(audited, exchange.url)
  return UNREACHABLE.has(exchange.kind) || (hangs(exchange) && hangs(robots)) ? unreachable(audited, exchange) : null
}

const leftSite = (audited: string, url: string): Refusal => {
  const other = url.length > LONGEST_SHOWN ? originOf(url) : url
  return {
    reason: "left_site",
    message: `${shown(audited)} redirects to another site, ${other}.`,
    advice: `Audit that address instead: docgauge ${inShell(other)}`
  }
}

/** An address that a site chose, so that it can be pasted into a command line. */
const inShell = (url: string): string => /^[\w:/.%~-]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`

const unreachable = (audited: string, { message }: Fault): Refusal => ({
  reason: "unreachable",
  message: `${shown(audited)} could not be reached: ${message}.`,
  advice: "Check the address, and that it can be reached from here without a login or a VPN."
})

/** Something answered, and led nowhere. */
const ASTRAY: ReadonlySet<Fault["kind"]> = new Set(["redirect_loop", "too_many_redirects", "budget", "off_site"])

/** There is a report only where at least one page could be had: `null` then. `tried` are the pages that were looked for. */
export const refusalOfPages = (base: Base, tried: ReadonlyArray<{ readonly page: Page | null }>): Refusal | null => {
  if (tried.some(({ page }) => page !== null && page.challenge === null)) return null
  const { audited, exchange } = base
  if (!isAnswer(exchange) && !ASTRAY.has(exchange.kind)) return unreachable(audited, exchange)
  const others = tried.length > 1 ? `, and none of ${tried.length - 1} other pages could be had` : ", and no other page was found"
  return {
    reason: "no_page",
    message: `${shown(audited)} ${outcomeOf(exchange, base.page)}${others}.`,
    advice: base.page?.format === "other"
      ? "Give the address of a page of the documentation."
      : "Check the address. Where a firewall or a login stands in between, let the user agent docgauge through."
  }
}

/** What came in place of a page, as a clause. */
const outcomeOf = (exchange: Exchange, page: Page | null): string => {
  if (!isAnswer(exchange)) return `leads to no page: ${exchange.message}`
  if (exchange.status < 200 || exchange.status > 299) return `answers ${exchange.status}`
  return page?.format === "other" ? `is no web page (${plainText(mediaType(exchange), 60) || "without a type"})` : "answers with a bot challenge"
}

const LONGEST_SHOWN = 200

const shown = (url: string): string => plainText(url, LONGEST_SHOWN)
