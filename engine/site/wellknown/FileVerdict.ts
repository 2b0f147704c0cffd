import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { below } from "../../evidence/Address.ts"
import { RANK } from "../../evidence/AuditBudget.ts"
import { openingOf } from "../../evidence/BodyText.ts"
import {
  type Answer,
  type Exchange,
  isAnswer,
  isForbidden,
  isGone,
  isMissing,
  isOk,
  isUnobtainable
} from "../../evidence/Exchange.ts"
import { readsAsErrorPage } from "../../page/ErrorPage.ts"
import { isHtml } from "../../page/ResponseFacts.ts"
import { type BaseAddress, derivation } from "../base/Derivation.ts"

/**
 * What a request for a file found. `html`: a web page in its place. `soft_404`: a 2xx whose body is an error page or what the
 * site answers at any URL. `missing`: no 2xx. `unobtainable`: see `isWithheld`.
 */
export type FileVerdict = "found" | "html" | "soft_404" | "missing" | "unobtainable"

/** What a URL should hold. `any`: HTML is fine too. */
type Expected = "text" | "markdown" | "json" | "xml" | "yaml" | "any"

/** `probe`: `null` before it is known; only error pages are soft 404s then. */
export const fileVerdict = (probe: NotFoundProbe | null, exchange: Exchange, expected: Expected): FileVerdict => {
  if (isWithheld(probe, exchange)) return "unobtainable"
  if (!isOk(exchange)) return "missing"
  if (expected !== "any" && isHtml(exchange, openingOf(exchange))) return "html"
  return isSoftError(probe, exchange) ? "soft_404" : "found"
}

/** Whether a file may be there that could not be fetched: not if the site treats made-up URLs the same. */
export const isWithheld = (probe: NotFoundProbe | null, exchange: Exchange): boolean =>
  isUnobtainable(exchange) && !(probe !== null && endsLikeProbe(probe, exchange))

/** Whether a response is missing that may have been the file. */
export const isMissingFile = (probe: NotFoundProbe, exchange: Exchange): boolean =>
  isMissing(exchange) && isWithheld(probe, exchange)

const endsLikeProbe = (probe: NotFoundProbe, exchange: Exchange): boolean =>
  redirectsLikeProbe(probe, exchange) || isForbiddenLikeProbe(probe, exchange)

/**
 * An object store that may not be listed answers 403 for every name that it does not hold. Its pages are open, or there would be
 * no audit. A redirect leads to a wall rather than to a name; a 401 asks for a login and a 402 for payment, so there may be something behind them.
 */
const isForbiddenLikeProbe = (probe: NotFoundProbe, exchange: Exchange): boolean =>
  isForbidden(exchange) &&
  exchange.redirects.length === 0 &&
  probe.places.some((place) => isForbidden(place.exchange) && hasBodyOf(place.exchange, exchange))

/** Both say the same, apart from their URLs and ids of requests. */
const hasBodyOf = (one: Answer, other: Answer): boolean => bodyOf(one) === bodyOf(other)

const bodyOf = (answer: Answer): string => comparableBody(openingOf(answer), formsOf(answer.asked.url))

/** A page that refuses made-up URLs, too, may be a wall before all URLs: a redirect to it says nothing of the file. */
const redirectsLikeProbe = (probe: NotFoundProbe, { redirects }: Exchange): boolean => {
  const target = redirects.at(-1)
  if (target === undefined) return false
  return probe.places.some(
    ({ exchange }) =>
      !(isAnswer(exchange) && isUnobtainable(exchange)) &&
      exchange.redirects.some(({ location }) => pathOf(location) === pathOf(target.location))
  )
}

const pathOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Whether an answer counts as if its URL held nothing: whatever its reason, anything but `found`. */
export const countsAsAbsent = (probe: NotFoundProbe, answer: Answer, expected: Expected = "any"): boolean =>
  fileVerdict(probe, answer, expected) !== "found"

/** A 2xx with the body that the site answers at any URL, or with a text that says "not found". */
const isSoftError = (probe: NotFoundProbe | null, answer: Answer): boolean =>
  (probe !== null && equalsProbe(probe, answer)) || readsAsErrorPage(answer)

/** The body is what the site answers at any URL. */
export const equalsProbe = (probe: NotFoundProbe, answer: Answer): boolean => {
  const bodies = new Set(probe.places.flatMap((place) => (place.catchAll ? [place.body] : [])))
  if (bodies.size === 0) return false
  const text = openingOf(answer)
  return ownForms(answer).some((own) => bodies.has(comparableBody(text, own)))
}

/** What to take for the URL in a body: nothing, or the longer forms (a short name such as `api` may be a word), or all forms. */
const ownForms = (answer: Answer): ReadonlyArray<ReadonlyArray<string>> => {
  const forms = [...new Set([answer.url, answer.asked.url])].map(formsOf)
  return [[], ...forms.map((all) => all.slice(0, 2)), ...forms]
}

/** URLs that no site has a page at, and what the site answered. */
export interface NotFoundProbe {
  /** Two below `B` and one below `R`, in the order of the requests. */
  readonly places: ReadonlyArray<ProbedUrl>
  /** Any of them was answered with a 2xx, so a 2xx alone proves nothing on this site. */
  readonly catchAll: boolean
}

export interface ProbedUrl {
  readonly url: string
  readonly exchange: Exchange
  /** Answered with a 2xx. */
  readonly catchAll: boolean
  /** Answered with 404 or 410. */
  readonly honest: boolean
  /** See `comparableBody`; empty unless `catchAll`. */
  readonly body: string
}

/**
 * Three URLs: derived from the audited URL, so that a recorded audit can be replayed, and with a name that explains itself
 * in a server's log. One looks like a page, two like files that are requested later, because sites route those differently.
 */
export const probeUrls = (base: BaseAddress): ReadonlyArray<string> => {
  const hash = createHash("sha256").update(base.audited).digest("hex")
  const name = (from: number) => `docgauge-canary-${hash.slice(from, from + 12)}`
  return [below(base.folder, name(0)), below(base.folder, `${name(12)}.md`), below(base.origin, `${name(24)}.txt`)]
}

/** Characters of a body that are compared. */
const COMPARED_CHARACTERS = 200_000

/**
 * A body without what a response at another URL would have otherwise: `own` (its URL and parts of it), tokens with a digit
 * (numbers, nonces, hashes) and white space. Two error pages of one server are equal then; two pages with text of their own
 * are not.
 */
export const comparableBody = (text: string, own: ReadonlyArray<string>): string =>
  own
    .reduce((rest, part) => rest.replaceAll(part, ""), text.slice(0, COMPARED_CHARACTERS))
    .replace(/[A-Za-z0-9+/_=-]+/g, (token) => (/[0-9]/.test(token) ? "" : token))
    .replace(/\s+/gu, "")

/** The forms in which a body may repeat its URL, longest first: whole, path, last segment, that without extension. */
const formsOf = (url: string): ReadonlyArray<string> => {
  const path = URL.parse(url)?.pathname ?? ""
  const name = path.split("/").findLast((segment) => segment !== "") ?? ""
  return [url, path, name, withoutExtension(name)].filter((form) => form.length > 2)
}

/** Cut at the first dot after which only letters, digits and dots follow. */
const withoutExtension = (name: string): string => {
  let start = name.length
  while (start > 0 && /[a-z0-9.]/i.test(name.charAt(start - 1))) start--
  const dot = name.indexOf(".", start)
  return dot < 0 || dot === name.length - 1 ? name : name.slice(0, dot)
}

export const notFoundProbe = derivation({
  name: "not-found-probe",
  // Each of the made-up URLs, once.
  budget: { requests: 3, megabytes: 1 },
  rank: RANK.sample,
  early: ({ base }) => probeUrls(base),
  gather: ({ base, collector }): Effect.Effect<NotFoundProbe> => {
    const urls = probeUrls(base)
    return Effect.map(collector.getAll(urls), (exchanges) => {
      const places = exchanges.flatMap((exchange, index) => {
        const url = urls[index]
        return url === undefined ? [] : [probedUrl(url, exchange)]
      })
      return { places, catchAll: places.some((place) => place.catchAll) }
    })
  }
})

const probedUrl = (url: string, exchange: Exchange): ProbedUrl => ({
  url,
  exchange,
  catchAll: isOk(exchange),
  honest: isGone(exchange),
  body: isOk(exchange) ? comparableBody(openingOf(exchange), formsOf(exchange.asked.url)) : ""
})
