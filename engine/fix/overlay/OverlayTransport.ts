import * as Effect from "effect/Effect"
import { normalise, originOf } from "../../evidence/Address.ts"
import { charsetOfHtml } from "../../evidence/BodyText.ts"
import { type Asked, firstHeaderIn, type Headers, isSuccess } from "../../evidence/Exchange.ts"
import { type Hop, type HopAnswer, type HopRequest, NOTHING_SENT, type Transport } from "../../evidence/Transport.ts"
import { contentTypeOf, MARKDOWN_TYPE } from "../../text/HttpValues.ts"
import { ACCEPTS_MARKDOWN, addedHeaders, type HostRules, rewritten } from "../hosts/HostRules.ts"
import { withHead } from "./HeadInsertion.ts"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { type JournalEntry, keyOf } from "../../evidence/Journal.ts"

type Send = Transport["Service"]["send"]

/** Requests that were left out for want of time or budget may be sent now. */
const LEFT_OUT: ReadonlySet<string> = new Set(["budget", "deadline"])

/** What was answered so far, by request. */
export interface RecordedHops {
  /** Whether there was an answer or a fault of the site's, whatever of it was read. */
  readonly has: (asked: Asked) => boolean
  /** What was answered, as far as this limit; `null`: it was not asked for, or not read so far. */
  readonly hopOf: (asked: Asked, limitBytes: number) => Hop | null
  /** Later answers to the same requests replace earlier ones. */
  readonly add: (journal: ReadonlyArray<JournalEntry>) => void
  /** The same, for many pages of which few are asked for again: their bodies are kept compressed. */
  readonly addCompressed: (journal: ReadonlyArray<JournalEntry>) => void
}

export const recordedHops = (journal: ReadonlyArray<JournalEntry>): RecordedHops => {
  const known = new Map<string, () => Hop>()
  const add = (entries: ReadonlyArray<JournalEntry>, keep: (hop: Hop) => () => Hop): void => {
    for (const { hop, request } of entries) known.set(keyOf(request.asked), keep(hop))
  }
  const asIs = (hop: Hop) => () => hop
  add(journal, asIs)
  return {
    has: (asked) => known.has(keyOf(asked)),
    hopOf: (asked, limitBytes) => {
      const hop = known.get(keyOf(asked))?.()
      return hop === undefined || !holds(hop, limitBytes) ? null : within(hop, limitBytes)
    },
    add: (entries) => add(entries, asIs),
    addCompressed: (entries) => add(entries, compressed)
  }
}

/** HTML shrinks to a fifth at the fastest level. */
const compressed = (hop: Hop): (() => Hop) => {
  if (hop._tag === "HopFault") return () => hop
  const packed = deflateRawSync(hop.body, { level: 1 })
  const { body: _, ...rest } = hop
  return () => ({ ...rest, body: inflateRawSync(packed) })
}

/** Answers from what was recorded; what was not asked for is sent. */
export const recordedFirst =
  (recorded: Pick<RecordedHops, "hopOf">, send: Send): Send =>
  (request) => {
    const hop = recorded.hopOf(request.asked, request.limitBytes)
    return hop === null ? send(request) : Effect.succeed(hop)
  }

const holds = (hop: Hop, limitBytes: number): boolean =>
  hop._tag === "HopFault"
    ? !LEFT_OUT.has(hop.kind)
    : !hop.cut || (hop.droppedBytes === undefined && hop.body.length >= limitBytes)

const within = (hop: Hop, limitBytes: number): Hop =>
  hop._tag === "HopFault" || hop.body.length <= limitBytes
    ? hop
    : { ...hop, body: hop.body.subarray(0, limitBytes), cut: true }

/** What is published over a site. */
export interface Overlay {
  /** The origin whose host follows `rules`. */
  readonly origin: string
  /** Texts of files by URL. */
  readonly files: ReadonlyMap<string, string>
  /** Snippets for the heads of pages, by URL. */
  readonly heads: ReadonlyMap<string, string>
  /** As they were read from the files written for the host; `null`: none. */
  readonly rules: HostRules | null
}

/** The site below, as it would answer with the files, snippets and rules in place. */
export const overlaid = (under: Send, overlay: Overlay): Send => {
  const bodies = new Map([...overlay.files].map(([url, text]) => [url, new TextEncoder().encode(text)]))
  return (request) => {
    const { accept, method, url } = request.asked
    if (method !== "GET") return under(request)
    const isOwn = originOf(url) === overlay.origin
    const rules = isOwn ? overlay.rules : null
    const negotiated = rules !== null && ACCEPTS_MARKDOWN.test(accept) ? markdownFile(rules, url) : null
    if (negotiated === null) return plain(under, overlay, bodies, request, rules)
    const generated = bodies.get(negotiated)
    if (generated !== undefined) return Effect.succeed(fileAnswer(negotiated, generated, request.limitBytes, rules))
    return Effect.flatMap(under({ ...request, asked: { ...request.asked, url: negotiated, accept: "*/*" } }), (hop) =>
      hop._tag === "HopAnswer" && isSuccess(hop.status) && !isHtmlAnswer(hop)
        ? Effect.succeed({
            ...hop,
            headers: withAdded([...without(hop.headers, "content-type"), ["content-type", MARKDOWN_TYPE]], rules)
          })
        : plain(under, overlay, bodies, request, rules)
    )
  }
}

/** The URL of the file that the rules send in place of a page. */
const markdownFile = (rules: HostRules, url: string): string | null => {
  const { origin, pathname, search } = new URL(url)
  const file = search === "" ? rewritten(rules, pathname) : null
  return file === null ? null : normalise(`${origin}${file}`)
}

const plain = (
  under: Send,
  overlay: Overlay,
  bodies: ReadonlyMap<string, Uint8Array>,
  request: HopRequest,
  rules: HostRules | null
): Effect.Effect<Hop> => {
  const { url } = request.asked
  const body = bodies.get(url)
  if (body !== undefined) return Effect.succeed(fileAnswer(url, body, request.limitBytes, rules))
  return Effect.map(under(request), (hop) => {
    if (hop._tag === "HopFault" || !isSuccess(hop.status)) return hop
    const snippet = overlay.heads.get(url)
    const headed =
      snippet === undefined || hop.cut || hop.bodyBytes !== undefined || !isHtmlAnswer(hop)
        ? null
        : withHead(hop.body, snippet, charsetOfHtml(hop.body, firstHeaderIn(hop.headers, "content-type") ?? ""))
    return {
      ...hop,
      headers: withAdded(hop.headers, rules),
      ...(headed === null
        ? {}
        : { body: headed.subarray(0, request.limitBytes), cut: headed.length > request.limitBytes })
    }
  })
}

const fileAnswer = (url: string, body: Uint8Array, limitBytes: number, rules: HostRules | null): HopAnswer => {
  const type = contentTypeOf(new URL(url).pathname)
  return {
    _tag: "HopAnswer",
    status: 200,
    headers: withAdded(type === null ? [] : [["content-type", type]], rules),
    body: body.subarray(0, limitBytes),
    cut: body.length > limitBytes,
    wireBytes: body.length,
    meta: NOTHING_SENT
  }
}

const withAdded = (headers: Headers, rules: HostRules | null): Headers =>
  rules === null ? headers : [...headers, ...addedHeaders(rules)]

const without = (headers: Headers, name: string): Headers => headers.filter(([own]) => own !== name)

const isHtmlAnswer = ({ headers }: HopAnswer): boolean => /html/i.test(firstHeaderIn(headers, "content-type") ?? "html")
