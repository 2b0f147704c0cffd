import { siteOf } from "../evidence/Address.ts"
import type { Section } from "../page/Page.ts"
import { trimEnd, trimTrailingSlashes } from "../text/WhiteSpace.ts"

/** What a description says itself. */
export interface DescribedFigures {
  readonly title: string
  /** `info.version`; empty where missing. */
  readonly version: string
  readonly servers: ReadonlyArray<DescribedServer>
}

type FigureReason = "base_url" | "version" | "rate_limit"

/** Two places that name one figure; `other` is `null` for the description. */
export interface ComparedFigure<Text> {
  readonly reason: FigureReason
  readonly agrees: boolean
  readonly text: Text
  readonly other: Text | null
  /** As written in `text`. */
  readonly found: string
  /** As written in `other`, or in the description. */
  readonly expected: string
}

/** A text of the site, as far as figures are read from it. */
export interface FigureText {
  readonly url: string
  readonly title: string
  readonly sections: ReadonlyArray<Section>
}

/**
 * Compares what texts say of the API's base address, of its version and of its rate limit, with the description and with one another.
 * Only what can mean nothing else is compared, so most texts give nothing.
 */
export const compareFigures = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  described: DescribedFigures | null
): ReadonlyArray<ComparedFigure<Text>> => [
  ...(described === null ? [] : [...baseAddresses(texts, described), ...versions(texts, described)]),
  ...rateLimits(texts)
]

const baseAddresses = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  { servers }: DescribedFigures
): ReadonlyArray<ComparedFigure<Text>> => {
  const [first] = servers
  if (first === undefined || !servers.every(({ usable }) => usable)) return []
  const stated = texts.flatMap((text) => baseAddressesIn(text.sections).map((found) => ({ text, found })))
  // Several are those of several APIs.
  const isOne = new Set(stated.map(({ found }) => found.replace(/\/$/, ""))).size === 1
  return stated.flatMap(({ found, text }): ReadonlyArray<ComparedFigure<Text>> => {
    const agrees = isServed(found, servers, text.sections)
    if (agrees === null || !(agrees || isOne)) return []
    return [{ reason: "base_url", agrees, text, other: null, found, expected: first.url }]
  })
}

const versions = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  { title, version }: DescribedFigures
): ReadonlyArray<ComparedFigure<Text>> =>
  texts.flatMap((text): ReadonlyArray<ComparedFigure<Text>> => {
    const found = newestRelease(text, { api: title, version })
    return found === null
      ? []
      : [{ reason: "version", agrees: found === version, text, other: null, found, expected: version }]
  })

/** The first text of each unit is what the others are held against. */
const rateLimits = <Text extends FigureText>(texts: ReadonlyArray<Text>): ReadonlyArray<ComparedFigure<Text>> => {
  const first = new Map<LimitStatement["unit"], { readonly text: Text; readonly statement: LimitStatement }>()
  return texts.flatMap((text): ReadonlyArray<ComparedFigure<Text>> => {
    const [statement, ...more] = limitsIn(text.sections)
    if (statement === undefined || more.length > 0) return []
    const before = first.get(statement.unit)
    if (before === undefined) {
      first.set(statement.unit, { text, statement })
      return []
    }
    if (before.text.url === text.url) return []
    return [
      {
        reason: "rate_limit",
        agrees: before.statement.amount === statement.amount,
        text,
        other: before.text,
        found: statement.written,
        expected: before.statement.written
      }
    ]
  })
}

/** A server of a description, variables as `{name}`. */
interface DescribedServer {
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
const baseAddressesIn = (sections: ReadonlyArray<Section>): ReadonlyArray<string> => [
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
const isServed = (
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

/** How many requests a text allows in a unit of time. */
interface LimitStatement {
  readonly amount: number
  readonly unit: "second" | "minute" | "hour" | "day"
  /** As written, such as `60 requests per minute`. */
  readonly written: string
}

const HEADING = /\b(?:rate[- ]?limit(?:s|ing)?|request limits?|throttling)\b/i

const STATEMENT =
  /\b(\d{1,3}(?:[,\u202f\u00a0]\d{3}){0,3}|\d{1,9}) (?:api )?(?:requests?|calls?) (?:per|an?|each|every) (second|minute|hour|day)\b/gi

/** A limit of some callers, calls or plans only: others may have another one. */
const LIMIT_OF_SOME =
  /\b(?:plans?|tiers?|free|trial|pro|paid|premium|basic|standard|enterprise|business|starter|sandbox|test(?:ing)?|burst|endpoints?|(?:un)?authenticated|anonymous|ip|user|key|token|per (?:app|account|client|workspace|organi[sz]ation|project)|writes?|reads?|(?:POST|GET|PUT|PATCH|DELETE)|increased?|higher|lower|default|example|e\.g\.|previously|until|formerly|was|were|upload|search|export)\b/i

/** Statements of sections on rate limits, each figure once; none where they are those of some callers or calls only. */
const limitsIn = (sections: ReadonlyArray<Section>): ReadonlyArray<LimitStatement> => {
  const found = new Map<string, LimitStatement>()
  for (const { heading, path, text } of sections) {
    const statements = [...text.matchAll(STATEMENT)]
    if (statements.length === 0) continue
    if (![heading, ...path].some((title) => HEADING.test(title)) || LIMIT_OF_SOME.test(`${heading}\n${text}`)) return []
    for (const [written, amount = "", unit = ""] of statements) {
      const one = unitOf(unit)
      if (one !== null) found.set(`${one} ${amount}`, { amount: Number(amount.replace(/\D/g, "")), unit: one, written })
    }
  }
  return [...found.values()]
}

const UNITS: ReadonlyArray<LimitStatement["unit"]> = ["second", "minute", "hour", "day"]

const unitOf = (word: string): LimitStatement["unit"] | null =>
  UNITS.find((unit) => unit === word.toLowerCase()) ?? null

const CHANGELOG = /\b(?:change[- ]?logs?|release (?:notes|history)|version history)\b/i

const VERSION = /(?<![\w.-])v?(\d{1,4}(?:\.\d{1,4}){1,2})(?![\w.-])/g

const UNRELEASED = /\b(?:unreleased|upcoming|next|planned|draft)\b/i

/**
 * The newest release by a changelog of the API that has the described version, too: only then are its numbers those of the description.
 * `null` where the text is no such changelog, or its releases have no order.
 */
const newestRelease = (
  { sections, title, url }: FigureText,
  { api, version }: { readonly api: string; readonly version: string }
): string | null => {
  const titles = [title, sections[1]?.heading ?? ""]
  if (!titles.some((text) => CHANGELOG.test(text)) || !isOfApi(`${titles.join(" ")} ${url}`, api)) return null
  const headings = sections.map(({ heading }) => heading)
  if (headings.some((heading) => UNRELEASED.test(heading))) return null
  const releases = headings.flatMap((heading) => {
    const [one, ...more] = [...heading.matchAll(VERSION)].flatMap(([, number]) => number ?? [])
    return one === undefined || more.length > 0 ? [] : [one]
  })
  const parts = partsOf(version)
  const [first] = releases
  if (first === undefined || !releases.includes(version.trim()) || parts.length < 2) return null
  if (releases.some((release) => partsOf(release).length !== parts.length)) return null
  const isSorted = releases.every((release, at) => at === 0 || isNewer(releases[at - 1] ?? "", release))
  return isSorted ? first : null
}

const isOfApi = (titles: string, api: string): boolean =>
  /\bapi\b/i.test(titles) || (api !== "" && titles.toLowerCase().includes(api.toLowerCase()))

const partsOf = (version: string): ReadonlyArray<number> => version.trim().split(".").map(Number)

const isNewer = (one: string, other: string): boolean => {
  const [left, right] = [partsOf(one), partsOf(other)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0)
}
