import { onSite } from "../../evidence/Address.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import type { SpecSource } from "../../apispec/ApiSpec.ts"
import { byNumbers } from "../address/VersionSegment.ts"
import type { Owner, SpecMention } from "./SpecMentions.ts"

/** A URL that may be a description's, with everything that names it. */
export interface CandidateUrl {
  readonly url: string
  /** Each once, in the order of `SpecSource`. */
  readonly sources: ReadonlyArray<SpecSource>
  /** Where it was seen first; `null` for a guess. */
  readonly by: Exchange | null
}

const SOURCES: ReadonlyArray<SpecSource> = ["link", "header", "llms.txt", "catalog", "well_known", "viewer", "inline"]

/** URLs told apart; a site that names more is no easier to understand for it. */
const CANDIDATE_LIMIT = 500

/** What is known of a URL before it is read. */
interface Named extends CandidateUrl {
  /** Texts of links to it. */
  readonly texts: ReadonlySet<string>
  /** The most operations that a page shows which names it. */
  readonly operations: number
}

/**
 * One for each URL: on the site first, then by what its name and its links promise, then by how it is announced, then by the operations
 * that pages show which name it, then in the order in which the site names them. The first few are read.
 */
export const candidateUrls = (
  mentions: ReadonlyArray<SpecMention>,
  wellKnown: ReadonlyArray<string>,
  owner: Owner
): ReadonlyArray<CandidateUrl> => {
  const named = namedUrls(mentions, wellKnown)
  const older = olderVersions(named.map(({ url }) => url))
  const weighed = named.map((one) => ({ one, promise: older.has(one.url) ? -1 : promiseOf(one, owner) }))
  return weighed
    .sort(
      (left, right) =>
        Number(onSite(right.one.url, owner.site)) - Number(onSite(left.one.url, owner.site)) ||
        right.promise - left.promise ||
        rankOf(left.one) - rankOf(right.one) ||
        right.one.operations - left.one.operations
    )
    .map(({ one: { by, sources, url } }) => ({ url, sources, by }))
}

const namedUrls = (mentions: ReadonlyArray<SpecMention>, wellKnown: ReadonlyArray<string>): ReadonlyArray<Named> => {
  const byUrl = new Map<string, { by: Exchange; sources: Set<SpecSource>; texts: Set<string>; operations: number }>()
  for (const { url, source, by, text, operations } of mentions) {
    const known = byUrl.get(url) ?? {
      by,
      sources: new Set(wellKnown.includes(url) ? ["well_known" as const] : []),
      texts: new Set<string>(),
      operations
    }
    known.sources.add(source)
    known.texts.add(text.slice(0, TEXT))
    known.operations = Math.max(known.operations, operations)
    if (byUrl.has(url) || byUrl.size < CANDIDATE_LIMIT) byUrl.set(url, known)
  }
  return [...byUrl].map(([url, { sources, ...known }]) => ({
    ...known,
    url,
    sources: SOURCES.filter((source) => sources.has(source))
  }))
}

const rankOf = ({ sources }: CandidateUrl): number => Math.min(...sources.map((source) => SOURCES.indexOf(source)))

/** What is read of a link's text or a file's name, in characters. */
const TEXT = 100

/** A part of the description, or what it was or will be. */
const PART =
  /(?:^|[-_./])(?:webhooks?|events?|callbacks?|internal|admin|private|legacy|deprecated|old|archived?|alpha|beta|preview|draft|examples?|samples?|mocks?|tests?)(?:[-_./]|$)/i

/** The description as a whole. */
const WHOLE = /(?:^|[-_. ])(?:all|full|complete|entire|bundled?|combined|merged|main|public)(?:[-_. ]|$)/i

/** Words that name no part of an API, in a file's name or a link's text. */
const DESCRIPTIVE =
  /^(?:open|api|apis|openapi|swagger|docs?|documentation|spec|specs|specification|description|definition|schema|reference|index|rest|http|v?\d+|the|our|of|in|as|for|json|ya?ml|file|format|download)$/

/** 1 for a whole, -1 for a part, by the last folders, the file's name and the links' texts. */
const promiseOf = ({ texts, url }: Named, { names }: Owner): number => {
  const segments = new URL(url).pathname.split("/").slice(-3)
  if (PART.test(segments.join("/"))) return -1
  const file = (segments.at(-1) ?? "").slice(0, TEXT).replace(/\.(?:json|ya?ml|graphqls?|gql)$/i, "")
  return isWhole(file, names) || [...texts].some((text) => saysApi(text) && isWhole(text, names)) ? 1 : 0
}

/** `Download` promises nothing. */
const saysApi = (text: string): boolean => /(?<![a-z])(?:open)?apis?(?![a-z])|swagger|graphql/i.test(text)

/** It says so, or names nothing but the product and what an API description is called. */
const isWhole = (name: string, names: Owner["names"]): boolean =>
  WHOLE.test(name) ||
  (name !== "" &&
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .every((word) => word === "" || DESCRIPTIVE.test(word) || names.has(word)))

/** `v2`, `1.4`, `2026-03`; a bare number is the number of anything. */
const VERSION =
  /(?<=[/_.-])(?:v\d{1,4}(?:[._-]\d{1,4}){0,2}|\d{1,4}(?:\.\d{1,4}){1,2}|(?:19|20)\d\d-\d\d(?:-\d\d)?)(?=[/_.-]|$)/gi

/** Those that are called as another one but for a lower version. */
const olderVersions = (urls: ReadonlyArray<string>): ReadonlySet<string> => {
  const newest = new Map<string, string>()
  for (const url of urls) {
    const key = withoutVersions(url)
    const known = newest.get(key)
    if (known === undefined || byNumbers(versionsOf(known), versionsOf(url)) < 0) newest.set(key, url)
  }
  return new Set(urls.filter((url) => newest.get(withoutVersions(url)) !== url))
}

const withoutVersions = (url: string): string => url.replace(VERSION, "*")

const versionsOf = (url: string): string => (url.match(VERSION) ?? []).join(" ")
