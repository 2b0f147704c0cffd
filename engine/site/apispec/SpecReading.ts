import * as Effect from "effect/Effect"
import { onSite } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isOk, mediaType } from "../../evidence/Exchange.ts"
import type { ParsedSpec, SpecFile, SpecInput, Unparsed } from "../../apispec/ApiSpec.ts"
import type { GatherContext } from "../base/GatherContext.ts"

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
export interface DescriptionReading {
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
