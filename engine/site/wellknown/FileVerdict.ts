import { openingOf } from "../../evidence/BodyText.ts"
import {
  type Answer,
  type Exchange,
  isAnswer,
  isForbidden,
  isMissing,
  isOk,
  isUnobtainable
} from "../../evidence/Exchange.ts"
import { readsAsErrorPage } from "../../page/ErrorPage.ts"
import { isHtml } from "../../page/HtmlSniff.ts"
import { comparableBody, formsOf } from "./ComparableBody.ts"
import type { NotFoundProbe } from "./NotFoundProbe.ts"

/**
 * What a request for a file found. `html`: a web page in its place. `soft_404`: a 2xx whose body is an error page or what the
 * site answers at any URL. `missing`: no 2xx. `unobtainable`: see `isWithheld`.
 */
export type FileVerdict = "found" | "html" | "soft_404" | "missing" | "unobtainable"

/** What a URL should hold. `any`: HTML is fine too. */
export type Expected = "text" | "markdown" | "json" | "xml" | "yaml" | "any"

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
