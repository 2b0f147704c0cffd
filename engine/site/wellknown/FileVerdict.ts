import { openingOf } from "../../evidence/BodyText.ts"
import { type Answer, type Exchange, isAnswer, isMissing, isOk, isUnobtainable } from "../../evidence/Exchange.ts"
import { readsAsErrorPage } from "../../page/ErrorPage.ts"
import { isHtml } from "../../page/HtmlSniff.ts"
import { comparableBody, formsOf } from "./ComparableBody.ts"
import type { NotFoundProbe } from "./NotFoundProbe.ts"

/**
 * What a request for a file found. `html`: a web page in its place. `soft_404`: a 2xx whose body is an error page or what the
 * site answers at any URL. `missing`: no 2xx. `unobtainable`: see `isUnobtainable`.
 */
export type FileVerdict = "found" | "html" | "soft_404" | "missing" | "unobtainable"

/** What a URL should hold. `any`: HTML is fine too. */
export type Expected = "text" | "markdown" | "json" | "xml" | "yaml" | "any"

/** `probe`: `null` before it is known; only error pages are soft 404s then. */
export const fileVerdict = (probe: NotFoundProbe | null, exchange: Exchange, expected: Expected): FileVerdict => {
  if (isUnobtainable(exchange))
    return probe !== null && redirectsLikeProbe(probe, exchange) ? "missing" : "unobtainable"
  if (!isOk(exchange)) return "missing"
  if (expected !== "any" && isHtml(exchange, openingOf(exchange))) return "html"
  return isSoftError(probe, exchange) ? "soft_404" : "found"
}

/**
 * Whether a response is missing that may have been the file. A redirect whose target did not answer is none if made-up URLs are
 * redirected to the same path: then the site has no such file.
 */
export const isMissingFile = (probe: NotFoundProbe, exchange: Exchange): boolean =>
  isMissing(exchange) && !redirectsLikeProbe(probe, exchange)

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
export const countsAsAbsent = (probe: NotFoundProbe, answer: Answer, expected: Expected): boolean =>
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
