import * as Effect from "effect/Effect"
import type { ParsedSpec, SpecFile, SpecInput, SpecSource, Unparsed } from "../../apispec/ApiSpec.ts"
import { onSite } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isOk, mediaType } from "../../evidence/Exchange.ts"
import { byNumbers } from "../address/VersionFolders.ts"
import type { GatherContext } from "../base/Derivation.ts"
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

/** A part of the description, or what it was. */
const PART =
  /(?:^|[-_./])(?:webhooks?|events?|callbacks?|internal|admin|private|legacy|deprecated|old|archived?|examples?|samples?|mocks?|tests?)(?:[-_./]|$)/i

/** What it will be: not what the product is now. */
const IN_DEVELOPMENT =
  /(?:^|[-_./])(?:alpha|beta|canary|dev|devel|develop|development|draft|edge|next|nightly|preview|snapshot|trunk|unreleased|unstable)(?:[-_./]|$)/i

/** By its last folders and the file's name. */
export const isInDevelopment = ({ url }: { readonly url: string }): boolean =>
  IN_DEVELOPMENT.test(new URL(url).pathname.split("/").slice(-3).join("/"))

/** The description as a whole. */
const WHOLE = /(?:^|[-_. ])(?:all|full|complete|entire|bundled?|combined|merged|main|public)(?:[-_. ]|$)/i

/** Words that name no part of an API, in a file's name or a link's text. */
const DESCRIPTIVE =
  /^(?:open|api|apis|openapi|swagger|docs?|documentation|spec|specs|specification|description|definition|schema|reference|index|rest|http|v?\d+|the|our|of|in|as|for|json|ya?ml|file|format|download)$/

/** 1 for a whole, -1 for a part, by the last folders, the file's name and the links' texts. */
const promiseOf = ({ texts, url }: Named, { names }: Owner): number => {
  const segments = new URL(url).pathname.split("/").slice(-3)
  if (PART.test(segments.join("/")) || isInDevelopment({ url })) return -1
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

/** Files that the references of one description may lead to. */
const FILES = 20
/** Of those, files that an example is in. */
const EXAMPLES = 8
/** Files that lead to files that lead to files. */
const ROUNDS = 5

/**
 * Bytes of JSON that are read for all descriptions of an audit together; a file counts each time that it is read. The longest
 * description in use, GitHub's, has 13 MB, which take a second; the slowest that we know of take a second for each.
 */
const READING_BYTES = 24 * 1024 * 1024

/** YAML takes up to four times as long as JSON of the same size, GraphQL up to twice as long. */
const SLOW_FORMAT = 4

/** Reads a description, and the files on the site that its references lead to and that its examples are in. */
export type DescriptionReader = (document: SpecFile) => Effect.Effect<ParsedSpec>

/** The reader, and the files that each of its descriptions was read from. */
interface DescriptionReading {
  readonly read: DescriptionReader
  readonly filesOf: (spec: ParsedSpec) => SpecInput | null
}

/**
 * The reader of all descriptions of an audit: what is beyond the limit for all of them comes back as `not_read`. It counts bytes and
 * not time, so that the same site gets the same report on any machine.
 */
export const makeDescriptionReader = (context: GatherContext): DescriptionReading => {
  const { base, collector, limits, parsing } = context
  let left = READING_BYTES
  const inputs = new WeakMap<ParsedSpec, SpecInput>()
  const spend = (files: ReadonlyArray<SpecFile>): boolean => {
    const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength * (isJson(file.bytes) ? 1 : SLOW_FORMAT), 0)
    // The first one is read, however large: whether it is too large by itself is for its format's reader to say.
    const cost = Math.min(bytes, READING_BYTES)
    if (cost > left) return false
    left -= cost
    return true
  }
  const read: DescriptionReader = Effect.fnUntraced(function* (document) {
    if (!spend([document])) return notRead(document)
    const others: Array<SpecFile> = []
    const absent: Array<string> = []
    const examples: Array<SpecFile> = []
    const asked = new Set<string>([document.url])
    const askable = (urls: ReadonlyArray<string>, most: number): ReadonlyArray<string> =>
      urls
        .filter((url) => onSite(url, base.site) && !asked.has(url))
        .slice(0, Math.max(0, Math.min(most, FILES + 1 - asked.size)))
    for (let round = 0; ; round++) {
      const spec = yield* parsing.spec({ document, others, examples, absent, limits })
      inputs.set(spec, { document, others: [...others], absent: [...absent], limits })
      // A site that has one such description may have more of them, of which each would take all the time that one may.
      if (spec._tag === "Unparsed" && (spec.reason === "timed_out" || spec.reason === "out_of_memory")) left = 0
      if (spec._tag === "Unparsed" || round === ROUNDS) return spec
      const wanted = askable(spec.missingFiles, FILES)
      // Examples lead nowhere: they are read once, when all files that count are there.
      const shown = wanted.length > 0 || examples.length > 0 ? [] : askable(spec.examples.missing, EXAMPLES)
      if (wanted.length + shown.length === 0) return spec
      const exchanges = yield* collector.getAll(
        [...wanted, ...shown].map((url) => ({ url, limit: "document" }) as const)
      )
      for (const [index, url] of [...wanted, ...shown].entries()) {
        asked.add(url)
        const exchange = exchanges[index]
        if (exchange === undefined) continue
        const kept = index < wanted.length ? others : examples
        if (isOk(exchange)) kept.push({ ...fileOf(exchange), url })
        else if (saysAbsent(exchange) && kept === others) absent.push(url)
      }
      if (wanted.length === 0 && examples.length === 0) return spec
      if (!spend([document, ...others, ...examples])) return spec
    }
  })
  return { read, filesOf: (spec) => inputs.get(spec) ?? null }
}

const notRead = ({ url }: SpecFile): Unparsed => ({
  _tag: "Unparsed",
  url,
  reason: "not_read",
  message: "the descriptions before it took up our limit for one site"
})

/** By how it begins: a byte order mark and white space may come first. */
const isJson = (bytes: Uint8Array): boolean => {
  const first = firstLetter(bytes)
  return first === 0x7b || first === 0x5b
}

/** A body as a file of a description; its bytes are the answer's own. */
export const fileOf = (answer: Answer): SpecFile => ({
  url: answer.url,
  mediaType: mediaType(answer),
  bytes: answer.body,
  cut: answer.cut
})

const saysAbsent = (exchange: Exchange): boolean =>
  isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410)

/** The body begins as markup does: no description, and not worth waking the reader for. */
export const isMarkup = ({ body }: Answer): boolean => firstLetter(body) === 0x3c

/** The first byte of ASCII that is no white space. */
const firstLetter = (bytes: Uint8Array): number | undefined =>
  bytes.subarray(0, 512).find((byte) => byte > 0x20 && byte < 0x80)
