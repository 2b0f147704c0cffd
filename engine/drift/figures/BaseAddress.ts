import { siteOf } from "../../evidence/Address.ts"
import { trimEnd, trimTrailingSlashes } from "../../text/Trim.ts"
import type { Section } from "../../page/Page.ts"

/** A server of a description, variables as `{name}`. */
export interface DescribedServer {
  readonly url: string
  /** See `SpecServer.usable`. */
  readonly usable: boolean
}

/** `Base URL: https://…`, also as a label over it or in the cell before it. */
const BASE_URL =
  /\b(?:base|root)[ -](?:url|uri|address)(?: (?:of the api|for (?:all|the) (?:api )?(?:requests|calls|endpoints)))?(?: is)?[\s:=`*|]{1,6}(https?:\/\/[^\s"'`<>|)\]]{4,200})/gi

/** A base address of some callers, or of another time. */
const OF_SOME =
  /\b(?:sandbox|test(?:ing|net)?|staging|stage|demo|develop(?:ment)?|local(?:host)?|legacy|old|deprecated|previous|former(?:ly)?|until|regions?|eu|us|example|replace|your|version \d+|v\d+ (?:api|of))\b/i

/** Addresses that texts call the base URL of the API without any reserve. */
export const baseAddressesIn = (sections: ReadonlyArray<Section>): ReadonlyArray<string> => [
  ...new Set(
    sections.flatMap(({ heading, text }) => {
      const found = [...text.matchAll(BASE_URL)].map(([, address = ""]) => trimEnd(address, ".,;:"))
      return found.length === 1 && !OF_SOME.test(`${heading}\n${around(text)}`) ? found : []
    })
  )
]

/** As much of a section as may speak of the address. */
const AROUND = 600

const around = (text: string): string => {
  const at = text.search(/\b(?:base|root)[ -](?:url|uri|address)/i)
  return text.slice(Math.max(0, at - AROUND), at + AROUND)
}

/**
 * Whether the description has this base address: `null` where nothing can be said, because it is one of another product, or because the
 * text names a server of the description, too.
 */
export const isServed = (
  address: string,
  servers: ReadonlyArray<DescribedServer>,
  sections: ReadonlyArray<Section>
): boolean | null => {
  const url = URL.parse(address)
  if (url === null || /[{}<>$]|%7B/i.test(address)) return null
  const known = servers.flatMap((server) => URL.parse(server.url.replaceAll(/\{[^{}]{1,100}\}/g, "variable")) ?? [])
  if (known.length < servers.length || servers.some((server) => /\{/.test(server.url))) return null
  if (known.some((server) => server.host === url.host && isWithin(server.pathname, url.pathname))) return true
  if (!known.some((server) => isLike(server, url))) return null
  const names = (text: string): boolean => servers.some((server) => text.includes(server.url.replace(/\/$/, "")))
  return sections.some(({ text }) => names(text)) ? null : false
}

/** One path is the other or leads to it: a text may leave the version to its calls. */
const isWithin = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((path) => `${trimTrailingSlashes(path)}/`)
  return left !== undefined && right !== undefined && (left.startsWith(right) || right.startsWith(left))
}

/** One differs from the other in its version or in its host of the site: what differs in more is another API's. */
const isLike = (one: URL, other: URL): boolean =>
  withoutVersion(one) === withoutVersion(other) &&
  (one.host === other.host || (one.pathname === other.pathname && siteOf(one.hostname) === siteOf(other.hostname)))

const withoutVersion = ({ pathname }: URL): string => pathname.replace(/\/v\d{1,3}(?:\.\d{1,3})?(?=\/|$)/gi, "/v")
