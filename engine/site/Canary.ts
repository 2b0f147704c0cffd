import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { below } from "../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isOk } from "../evidence/Exchange.ts"
import { openingOf } from "../evidence/Text.ts"
import { readsAsErrorPage } from "./ErrorPage.ts"
import type { Gathering, Place } from "./Gathering.ts"
import { isHtml } from "./HtmlSniff.ts"

/** Addresses that no site has a page at, and what the site answered. */
export interface Canary {
  /** Two below `B` and one below `R`, in the order in which they were asked. */
  readonly places: ReadonlyArray<CanaryPlace>
  /** Any of them was answered with a 2xx: that an address answers proves nothing on this site. */
  readonly catchAll: boolean
}

export interface CanaryPlace {
  readonly url: string
  /** Below `B` or below `R`. */
  readonly under: "base" | "origin"
  readonly exchange: Exchange
  /** Answered with a 2xx. */
  readonly catchAll: boolean
  /** Answered 404 or 410: the honest answer. */
  readonly honest: boolean
  /** The body as compared with others, see `normaliseBody`; empty unless `catchAll`. */
  readonly body: string
}

/** What an address should hold. `any`: HTML is fine too. */
export type Expected = "text" | "markdown" | "json" | "xml" | "yaml" | "any"

type CanaryAddress = Pick<CanaryPlace, "url" | "under">

/**
 * The three addresses: fixed for an audited address, so that a recorded audit can be replayed, and named so that
 * whoever finds them in a log knows what they are. One looks like a page, two like the files that are asked for later,
 * because sites route those differently.
 */
export const canaryAddresses = (base: Place): ReadonlyArray<CanaryAddress> => {
  const hash = createHash("sha256").update(base.audited).digest("hex")
  const name = (from: number) => `docgauge-canary-${hash.slice(from, from + 12)}`
  return [
    { url: below(base.folder, name(0)), under: "base" },
    { url: below(base.folder, `${name(12)}.md`), under: "base" },
    { url: below(base.origin, `${name(24)}.txt`), under: "origin" }
  ]
}

/** Of a body this much is compared, in characters. */
const COMPARED_CHARACTERS = 200_000

/**
 * A body without what an answer to another address would have otherwise: `own`, which is the address and its parts,
 * whatever has a digit in it (numbers, nonces, hashes), and white space. Two error pages of one server are equal so;
 * two pages with text of their own are not.
 */
export const normaliseBody = (text: string, own: ReadonlyArray<string>): string =>
  own.reduce((rest, part) => rest.replaceAll(part, ""), text.slice(0, COMPARED_CHARACTERS))
    .replace(/[A-Za-z0-9+/_=-]+/g, (token) => (/[0-9]/.test(token) ? "" : token))
    .replace(/\s+/gu, "")

/** The forms in which a body may repeat an address, longest first: whole, path, last segment, that without extension. */
const formsOf = (url: string): ReadonlyArray<string> => {
  const path = URL.parse(url)?.pathname ?? ""
  const name = path.split("/").findLast((segment) => segment !== "") ?? ""
  return [url, path, name, withoutExtension(name)].filter((form) => form.length > 2)
}

/** Without everything from the first dot on after which only letters, digits and dots come. */
const withoutExtension = (name: string): string => {
  let start = name.length
  while (start > 0 && /[a-z0-9.]/i.test(name.charAt(start - 1))) start--
  const dot = name.indexOf(".", start)
  return dot < 0 || dot === name.length - 1 ? name : name.slice(0, dot)
}

/** The answer's body is what the site answers to any address. */
export const equalsCanary = (canary: Canary, answer: Answer): boolean => {
  const bodies = new Set(canary.places.flatMap((place) => (place.catchAll ? [place.body] : [])))
  if (bodies.size === 0) return false
  const text = openingOf(answer)
  return ownForms(answer).some((own) => bodies.has(normaliseBody(text, own)))
}

/**
 * What to take for the address in a body: nothing, or all its forms, or only the longer ones, since a short name such
 * as `api` may stand in the body for other reasons.
 */
const ownForms = (answer: Answer): ReadonlyArray<ReadonlyArray<string>> => {
  const forms = [...new Set([answer.url, answer.asked.url])].map(formsOf)
  return [[], ...forms.map((all) => all.slice(0, 2)), ...forms]
}

/** A 2xx that is none: what the site answers to any address, or a text that says "not found". */
export const isSoftError = (canary: Canary, answer: Answer): boolean =>
  isOk(answer) && (equalsCanary(canary, answer) || readsAsErrorPage(answer))

/**
 * Whether the answer counts as if there were nothing at its address: no 2xx, a soft error, or a web page where
 * another format is due. What could not be had at all counts as absent here too: see `isUnobtainable` for that.
 */
export const countsAsAbsent = (canary: Canary, answer: Answer, expected: Expected): boolean =>
  !isOk(answer)
  || (expected !== "any" && isHtml(answer, openingOf(answer)))
  || isSoftError(canary, answer)

/** Asks for all three at once. */
export const gatherCanary = (gathering: Gathering): Effect.Effect<Canary> => {
  const addresses = canaryAddresses(gathering.base)
  return Effect.map(gathering.collector.getAll(addresses.map(({ url }) => url)), (exchanges) => {
    const places = exchanges.flatMap((exchange, index) => {
      const address = addresses[index]
      return address === undefined ? [] : [placeOf(address, exchange)]
    })
    return { places, catchAll: places.some((place) => place.catchAll) }
  })
}

const placeOf = (address: CanaryAddress, exchange: Exchange): CanaryPlace => ({
  ...address,
  exchange,
  catchAll: isOk(exchange),
  honest: isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410),
  body: isOk(exchange) ? normaliseBody(openingOf(exchange), formsOf(exchange.asked.url)) : ""
})
