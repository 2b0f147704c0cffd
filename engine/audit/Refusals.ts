import { originOf } from "../evidence/Address.ts"
import { isChallengeError } from "../evidence/Challenge.ts"
import { type Answer, type Exchange, type Fault, isAnswer, isOk, mediaType } from "../evidence/Exchange.ts"
import type { Base } from "../site/base/GatherContext.ts"
import type { Page } from "../page/Page.ts"
import type { Refusal } from "./AuditError.ts"
import { plainText } from "../text/PlainText.ts"

/** robots.txt forbids `docgauge`, by that name. */
export const shutOut: Refusal = {
  reason: "shut_out",
  message: "robots.txt of the site forbids docgauge by name, so the site is not audited.",
  advice: "If the site is yours, allow the user agent docgauge in robots.txt."
}

/** Faults after a response. */
const ASTRAY: ReadonlySet<Fault["kind"]> = new Set(["redirect_loop", "too_many_redirects", "budget", "off_site"])

/** Why an audit ends at its base URL: a site whose base URL does not return 2xx is not audited. `null` if the audit continues. */
export const refusalOfBase = ({ audited, exchange, redirects }: Base): Refusal | null => {
  if (isOk(exchange)) return null
  if (isAnswer(exchange)) return errorResponse(audited, exchange)
  if (exchange.kind === "off_site" && redirects.length > 0) return leftSite(audited, exchange.url)
  if (exchange.kind === "shut_out") return shutOut
  if (exchange.kind === "blocked")
    return {
      reason: "blocked",
      message: `${shown(audited)} leads to ${shown(exchange.url)}: ${exchange.message}.`,
      advice: "Audit another site."
    }
  if (!ASTRAY.has(exchange.kind)) return unreachable(audited, exchange)
  return { reason: "no_page", message: `${shown(audited)} leads to no page: ${exchange.message}.`, advice: CHECK_URL }
}

const CHECK_URL = "Check the URL. Audit the first page of the documentation."

const LET_THROUGH = "If a firewall or a login protects it, let the user agent docgauge through, then audit it again."

const errorResponse = (audited: string, answer: Answer): Refusal => {
  const { redirects, status, url } = answer
  const from = redirects.length === 0 ? "" : `leads to ${shown(url)}, which `
  const told = (what: string, advice: string): Refusal => ({
    reason: "no_page",
    message: `${shown(audited)} ${from}${what}, so it was not audited.`,
    advice
  })
  if (isChallengeError(answer)) return told(`answers ${status} with a bot challenge`, LET_THROUGH)
  if (status === 429)
    return told(
      "answers 429: it limits the rate of requests",
      "Audit it again later, or let the user agent docgauge through."
    )
  if (status >= 500) return told(`answers ${status}`, "Audit it again once the site works.")
  return told(`answers ${status}`, REFUSING.has(status) ? LET_THROUGH : CHECK_URL)
}

/** The page may be there, for others. */
const REFUSING = new Set([401, 402, 403, 407, 451])

const leftSite = (audited: string, url: string): Refusal => {
  const other = url.length > LONGEST_SHOWN ? originOf(url) : url
  return {
    reason: "left_site",
    message: `${shown(audited)} redirects to another site, ${other}.`,
    advice: `Audit that URL instead: docgauge ${inShell(other)}`
  }
}

/** A URL that a site chose, so that it can be pasted into a command line. */
const inShell = (url: string): string => (/^[\w:/.%~-]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`)

const unreachable = (audited: string, { message }: Fault): Refusal => ({
  reason: "unreachable",
  message: `${shown(audited)} could not be reached: ${message}.`,
  advice: "Check the URL, and that this machine can reach it without a login or VPN."
})

/**
 * There is a report only where at least one page could be read: `null` then. `tried` are the pages that were looked for; the base
 * answered 2xx.
 */
export const refusalOfPages = (base: Base, tried: ReadonlyArray<{ readonly page: Page | null }>): Refusal | null => {
  if (tried.some(({ page }) => page !== null && page.challenge === null)) return null
  const count = tried.length - 1
  const others =
    count < 1
      ? ", and we found no other page"
      : `, and ${count === 1 ? "the other page could not" : `none of the ${count} other pages could`} be read`
  const isOther = base.page?.format === "other"
  return {
    reason: "no_page",
    message: `${shown(base.audited)} ${isOther ? `is not a web page (${typeOf(base.exchange)})` : "answers with a bot challenge"}${others}.`,
    advice: isOther ? CHECK_URL : LET_THROUGH
  }
}

const typeOf = (exchange: Exchange): string =>
  (isAnswer(exchange) && plainText(mediaType(exchange), 60)) || "without a type"

const LONGEST_SHOWN = 200

const shown = (url: string): string => plainText(url, LONGEST_SHOWN)
