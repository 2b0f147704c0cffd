import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { gzip, gzipSync } from "node:zlib"
import type { WARCRecord } from "warcio"
import { ArchiveError, type BodyFacts, type Recorded, RUN_FIELD, type RunInfo } from "./Archive.ts"
import { type BodyCut, bodyCuts, type SizedExchange } from "./ArchiveCuts.ts"
import type { Asked } from "../Exchange.ts"
import { requestHead, responseHead } from "../http/HttpMessage.ts"
import { keyOf } from "../Journal.ts"
import { sha256 } from "../LargeBytes.ts"
import type { HopAnswer, HopFault } from "../Transport.ts"

/**
 * An archive of the run, piece by piece. The records come in a defined order and with names that follow from what they
 * hold, so that the same evidence gives the same archive, but for the dates and peers of its exchanges. Where it would
 * be larger than `mostBytes`, bodies are cut, as `bodyCuts` says.
 */
export async function* archiveOf(
  info: RunInfo,
  recorded: ReadonlyArray<Recorded>,
  mostBytes = Infinity
): AsyncGenerator<Uint8Array, void, undefined> {
  const write = await makeWriter(info)
  const exchanges = inOrder(recorded)
  if (mostBytes === Infinity) {
    yield await write.info()
    for (const one of exchanges) yield* await write.exchange(one)
    return
  }
  const { pieces, sized, total } = await measured(write, exchanges, mostBytes)
  if (pieces !== null) return yield* pieces
  const cuts = bodyCuts(sized, total - mostBytes)
  yield await write.info()
  for (const one of exchanges) yield* await write.exchange(one, cuts.get(one))
}

/** What an archive takes without cuts; with the pieces themselves where that is within the limit. */
const measured = async (write: Writer, exchanges: ReadonlyArray<Recorded>, mostBytes: number) => {
  const first = await write.info()
  const sized: Array<SizedExchange> = []
  let pieces: Array<Uint8Array> | null = [first]
  let total = first.length
  for (const one of exchanges) {
    const members = await write.exchange(one)
    const size = members.reduce((sum, { length }) => sum + length, 0)
    total += size
    sized.push({ one, size, sizeWith: (bodyBytes) => write.sizeWith(one, bodyBytes) })
    // Beyond the limit they are written again in any case: keeping them would hold a second copy of all evidence.
    if (total > mostBytes) pieces = null
    else pieces?.push(...members)
  }
  return { pieces, sized, total }
}

/** Writes records, each as a gzip member of its own. */
interface Writer {
  readonly info: () => Promise<Uint8Array>
  readonly exchange: (one: Recorded, cut?: BodyCut) => Promise<ReadonlyArray<Uint8Array>>
  /** As `SizedExchange.sizeWith`. */
  readonly sizeWith: (one: Recorded, bodyBytes: number) => number
}

/** Loaded only where an archive is written, as most audits write none. One that will be can load it while it waits for answers. */
export const loadWarcWriter = () => import("warcio")

const makeWriter = async (info: RunInfo): Promise<Writer> => {
  const { WARCRecord: Record, WARCSerializer: Serializer } = await loadWarcWriter()
  // The serializer would compress through a web stream for each, mostly on this thread.
  const write = async (draft: Draft): Promise<Uint8Array> =>
    toGzip(await Serializer.serialize(await recordOf(draft, Record), { gzip: false }))
  const drafts = ({ askedBy = [], hop, request: { asked } }: Recorded, cut?: BodyCut): ReadonlyArray<Draft> =>
    hop._tag === "HopFault" ? [faultDraft(asked, hop, askedBy)] : answerDrafts(asked, hop, askedBy, info, cut)
  return {
    info: () => write(infoDraft(info)),
    exchange: (one, cut) => Promise.all(drafts(one, cut).map(write)),
    sizeWith: (one, bodyBytes) =>
      drafts(one, { bytes: bodyBytes, unread: false }).reduce((sum, draft) => sum + mostGzipped(draft), 0)
  }
}

/** What gzip adds to what it cannot compress: 18 bytes, and 5 for every 16 KB. */
const GZIP_SHARE = 1.001

/** Headers that warcio and we add to those of a draft, with digests. */
const ADDED_HEADERS = 1024

const mostGzipped = ({ body, head, headers, url }: Draft): number => {
  const texts = [head ?? "", url ?? "", ...headers.flat()]
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 4, body.length + ADDED_HEADERS)
  return Math.ceil(length * GZIP_SHARE) + 18
}

/** Up to this many bytes, zlib's thread pool takes ten times as long as compressing at once (0.2 ms for 1 KB; 64 KB take 1 ms). */
const SMALL_RECORD = 64 * 1024

const inThreadPool = promisify(gzip)

const toGzip = (record: Uint8Array): Uint8Array | Promise<Uint8Array> =>
  record.length <= SMALL_RECORD ? gzipSync(record) : inThreadPool(record)

const inOrder = (recorded: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> =>
  recorded
    .map((one) => [placeOf(one.request.asked), one] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, one]) => one)

/** Requests as other agents come after our own to the same URL: a reader that does not know them takes the first. */
const placeOf = ({ accept, agent, body = "", method, sentAs, url }: Asked): string =>
  [url, method, sentAs?.id ?? "", accept, agent, body].join("\n")

/** Writes the archive of a run, as `archiveOf`, to a file atomically. */
export const writeArchive = (
  path: string,
  info: RunInfo,
  recorded: ReadonlyArray<Recorded>,
  mostBytes?: number
): Effect.Effect<void, ArchiveError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const part = `${path}.part`
      try {
        await pipeline(Readable.from(archiveOf(info, recorded, mostBytes)), createWriteStream(part), { signal })
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    catch: (error) =>
      new ArchiveError({ reason: "unwritable", message: `the archive cannot be written: ${codeOf(error)}` })
  })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error"

/** A record before it is one. */
interface Draft {
  readonly type: "warcinfo" | "request" | "response" | "metadata"
  readonly url: string | null
  readonly date: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Start line and headers, for what is an HTTP message. */
  readonly head: string | null
  readonly body: Uint8Array
}

const infoDraft = (info: RunInfo): Draft => {
  const fields = [
    ["software", info.software],
    ["format", "WARC File Format 1.1"],
    ["conformsTo", "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"],
    ["description", `Audit of ${info.audited} on ${info.date}, rubric ${info.rubric.id} ${info.rubric.version}`],
    ["http-header-user-agent", info.agents.docgauge],
    [RUN_FIELD, JSON.stringify(info)]
  ]
  const body = bytes(fields.map(([name, value = ""]) => `${name}: ${value.replaceAll(/[\r\n]+/g, " ")}\r\n`).join(""))
  const draft: Draft = { type: "warcinfo", url: null, date: `${info.date}T00:00:00Z`, headers: [], head: null, body }
  return named(draft, idOf("warcinfo", JSON.stringify(info)))
}

const answerDrafts = (
  asked: Asked,
  answer: HopAnswer,
  askedBy: ReadonlyArray<string>,
  info: RunInfo,
  cut?: BodyCut
): ReadonlyArray<Draft> => {
  const facts = factsOf(answer, cut)
  const [requestId, responseId] = [idOf("request", keyOf(asked)), idOf("response", keyOf(asked))]
  const common = { url: asked.url, date: new Date(answer.meta.sentAt).toISOString() }
  const request: Draft = {
    ...common,
    type: "request",
    headers: [["WARC-Concurrent-To", responseId], ...criteriaHeader(askedBy)],
    head: requestHead(asked, info.agents),
    body: bytes(asked.body ?? "")
  }
  const response: Draft = {
    ...common,
    type: "response",
    headers: [
      ["WARC-Concurrent-To", requestId],
      ...(answer.meta.peer === null ? [] : [["WARC-IP-Address", answer.meta.peer] as const]),
      ...(answer.cut || facts.shortened !== undefined ? [["WARC-Truncated", "length"] as const] : []),
      ["WARC-JSON-Metadata", JSON.stringify(facts)]
    ],
    head: responseHead(answer),
    body: cut === undefined ? answer.body : answer.body.subarray(0, cut.bytes)
  }
  return [named(request, requestId), named(response, responseId)]
}

const factsOf = (
  { body, bodyBytes, cut: isCut, droppedBytes, rateLimited, wireBytes }: HopAnswer,
  cut?: BodyCut
): typeof BodyFacts.Type => ({
  wireBytes,
  ...(rateLimited === undefined ? {} : { rateLimited }),
  ...(droppedBytes === undefined ? {} : { droppedBytes }),
  ...(cut === undefined && bodyBytes === undefined
    ? {}
    : { shortened: { bytes: bodyBytes ?? body.length, cut: isCut, unread: cut?.unread ?? true } })
})

/** The criteria that use an exchange; for people, since a replay determines them again. */
const criteriaHeader = (askedBy: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  askedBy.length === 0 ? [] : [["WARC-JSON-Metadata", JSON.stringify({ criteria: askedBy })]]

const faultDraft = (
  asked: Asked,
  { kind, message, meta, rateLimited }: HopFault,
  askedBy: ReadonlyArray<string>
): Draft =>
  named(
    {
      type: "metadata",
      url: asked.url,
      date: new Date(meta.sentAt).toISOString(),
      headers: [["Content-Type", "application/json"], ...criteriaHeader(askedBy)],
      head: null,
      body: bytes(
        JSON.stringify({ asked: plain(asked), kind, message, ...(rateLimited === undefined ? {} : { rateLimited }) })
      )
    },
    idOf("metadata", keyOf(asked))
  )

/** The same keys in the same order, however the request was put together. */
const plain = ({ accept, agent, body, method, sentAs, url }: Asked): Asked => ({
  method,
  url,
  accept,
  agent,
  ...(sentAs === undefined ? {} : { sentAs: { id: sentAs.id, userAgent: sentAs.userAgent } }),
  ...(body === undefined ? {} : { body })
})

const named = (draft: Draft, id: string): Draft => ({ ...draft, headers: [["WARC-Record-ID", id], ...draft.headers] })

/** A UUID (version 8) that follows from the type of the record and what sets it apart. */
const idOf = (type: Draft["type"], key: string): string => {
  const digest = createHash("sha256").update(`${type}\n${key}`).digest("hex")
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32)
  ]
  return `<urn:uuid:${parts.join("-")}>`
}

const recordOf = async (
  { body, date, head, headers, type, url }: Draft,
  Record: typeof WARCRecord
): Promise<WARCRecord> => {
  const record = Record.create(
    {
      type,
      date,
      warcVersion: "WARC/1.1",
      warcHeaders: headers.map(([name, value]): [string, string] => [name, value]),
      ...(url === null || !URL.canParse(url) ? {} : { url }),
      // The whole head goes in as the status line: warcio's own header map sorts repeated names together and loses empty ones.
      ...(head === null ? {} : { statusline: head })
    },
    [body]
  )
  if (type !== "warcinfo") await addDigests(record, body)
  return record
}

/** As warcio would, which hashes at a tenth of the speed and in one go. */
const addDigests = async ({ httpHeaders, warcHeaders: { headers } }: WARCRecord, body: Uint8Array): Promise<void> => {
  const block = httpHeaders === null ? [body] : [bytes(`${httpHeaders.toString()}\r\n`), body]
  headers.set("WARC-Payload-Digest", `sha256:${await sha256(body)}`)
  headers.set("WARC-Block-Digest", `sha256:${await sha256(...block)}`)
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
