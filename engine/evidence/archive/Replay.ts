import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createReadStream } from "node:fs"
import { Readable } from "node:stream"
import { normalise } from "../Address.ts"
import { ArchiveError, BodyFacts, RecordedFault, RUN_FIELD, RunInfo } from "./Archive.ts"
import { readResponseBody } from "../http/ContentCoding.ts"
import { type Asked, firstHeaderIn } from "../Exchange.ts"
import { FetchLimits } from "../FetchLimits.ts"
import { failureOf } from "../http/HopFailure.ts"
import { dechunked, type HttpMessage, parseHttpMessage, statusOf, storedHeaders } from "../http/HttpMessage.ts"
import { keyOf } from "../Journal.ts"
import { type Hop, hopFault, type HopMeta, type HopRequest, NOTHING_SENT, Transport } from "../Transport.ts"
import { agentOf, askedAs } from "../UserAgents.ts"
import { type WarcLimits, type WarcRecord, warcRecords } from "./WarcReader.ts"

/** An archive, read and ready to answer. */
export interface Archive {
  /** The run that recorded it; `null` where another tool did. */
  readonly run: RunInfo | null
  /** Everything in it that was asked for, in the order of the file. */
  readonly asked: ReadonlyArray<Asked>
  /** Answers as the network did then; what was not recorded is a `not_recorded` fault. */
  readonly send: (request: HopRequest) => Effect.Effect<Hop>
}

/**
 * Reads an archive from a file or from bytes, under the limits that hold for the network. Archives of other tools answer
 * too, as far as they go: their responses are what our own agent got for any `Accept`.
 */
export const openArchive: (source: string | Uint8Array) => Effect.Effect<Archive, ArchiveError> = Effect.fnUntraced(
  function* (source) {
    const limits = warcLimits(yield* FetchLimits)
    const records = yield* Effect.tryPromise({
      try: (signal) => allRecords(source, limits, signal),
      catch: (error) =>
        error instanceof ArchiveError ? error : new ArchiveError({ reason: "unreadable", message: unreadable(error) })
    })
    return archiveOf(records)
  }
)

/** The transport that answers from an archive, and never from a network. */
export const replay = (archive: Archive): Layer.Layer<Transport> => Layer.succeed(Transport, { send: archive.send })

const MB = 1024 * 1024

/** What an audit may gather, with room for headers and for what was fetched beyond a collector's reservation. */
const warcLimits = (limits: FetchLimits): WarcLimits => ({
  totalBytes: 2 * limits.auditBytes + 64 * MB,
  records: 10_000,
  blockBytes: limits.documentBytes + MB
})

const unreadable = (error: unknown): string =>
  error instanceof Error && "code" in error && error.code === "ENOENT" ? "no such file" : "the archive cannot be read"

const allRecords = async (
  source: string | Uint8Array,
  limits: WarcLimits,
  signal: AbortSignal
): Promise<ReadonlyArray<WarcRecord>> => {
  const file =
    typeof source === "string" ? createReadStream(source, { signal }) : Readable.from([source], { objectMode: true })
  const records: Array<WarcRecord> = []
  for await (const record of warcRecords(file, limits)) if (isOfUse(record)) records.push(record)
  return records
}

const isOfUse = (record: WarcRecord): boolean =>
  ["warcinfo", "request", "response", "metadata"].includes(valueOf(record, "warc-type"))

const valueOf = (record: WarcRecord, name: string): string => record.headers.get(name)?.[0] ?? ""

type Answering = (limitBytes: number) => Promise<Hop>

const archiveOf = (records: ReadonlyArray<WarcRecord>): Archive => {
  const requests = requestsOf(records)
  const entries = records.flatMap((record): ReadonlyArray<readonly [Asked, Answering]> => {
    const type = valueOf(record, "warc-type")
    const entry = type === "response" ? answerIn(record, requests) : type === "metadata" ? faultIn(record) : null
    return entry === null ? [] : [entry]
  })
  // Of several answers to one request the first counts.
  const known = new Map(entries.map(([asked, answering]) => [keyOf(asked), answering] as const).reverse())
  return {
    run: records.map(runIn).find((run) => run !== null) ?? null,
    asked: entries.map(([asked]) => asked),
    send: ({ asked, limitBytes }) => {
      const answering = known.get(keyOf(asked))
      return answering === undefined ? Effect.succeed(NOT_RECORDED) : Effect.promise(() => answering(limitBytes))
    }
  }
}

const NOT_RECORDED = hopFault("not_recorded", "the archive does not have it")

const metaOf = (record: WarcRecord): HopMeta => {
  const sentAt = Date.parse(valueOf(record, "warc-date"))
  return {
    ...NOTHING_SENT,
    peer: record.headers.get("warc-ip-address")?.[0] ?? null,
    sentAt: Number.isNaN(sentAt) ? 0 : sentAt
  }
}

const decodeRun = Schema.decodeUnknownOption(Schema.fromJsonString(RunInfo))
const decodeFault = Schema.decodeUnknownOption(Schema.fromJsonString(RecordedFault))
const decodeFacts = Schema.decodeUnknownOption(Schema.fromJsonString(BodyFacts))

const textOf = (block: Uint8Array): string => new TextDecoder().decode(block)

const runIn = (record: WarcRecord): RunInfo | null => {
  if (valueOf(record, "warc-type") !== "warcinfo") return null
  const field = textOf(record.block)
    .split("\r\n")
    .find((line) => line.startsWith(`${RUN_FIELD}: `))
  return field === undefined ? null : Option.getOrNull(decodeRun(field.slice(RUN_FIELD.length + 2)))
}

const faultIn = (record: WarcRecord): readonly [Asked, Answering] | null => {
  const fault = Option.getOrNull(decodeFault(textOf(record.block)))
  if (fault === null) return null
  const { asked, kind, message, rateLimited } = fault
  const hop: Hop = {
    _tag: "HopFault",
    kind,
    message: tidy(message),
    ...(rateLimited === undefined ? {} : { rateLimited }),
    meta: metaOf(record)
  }
  return [asked, () => Promise.resolve(hop)]
}

/** The archive is somebody else's: what is shown to people is short and has no control characters. */
const tidy = (message: string): string => message.replaceAll(/\p{C}/gu, " ").slice(0, 200)

/** What was asked, by the record ids of request and answer; `null` where it is nothing that an audit asks. */
const requestsOf = (records: ReadonlyArray<WarcRecord>): ReadonlyMap<string, Asked | null> => {
  const requests = new Map<string, Asked | null>()
  for (const record of records) {
    if (valueOf(record, "warc-type") !== "request") continue
    const asked = askedIn(record)
    for (const id of [valueOf(record, "warc-record-id"), ...(record.headers.get("warc-concurrent-to") ?? [])])
      requests.set(id, asked)
  }
  return requests
}

const urlOf = (record: WarcRecord): string => {
  const url = valueOf(record, "warc-target-uri").replace(/^<(.*)>$/, "$1")
  return normalise(url) ?? url
}

/** What a request of docgauge's asked for; another tool's is read as the plainest of ours, or not at all if it is no GET. */
const askedIn = (record: WarcRecord): Asked | null => {
  const message = parseHttpMessage(record.block)
  const method = message?.startLine.split(" ", 1)[0]
  if (message === null || (method !== "GET" && method !== "POST")) return null
  const userAgent = firstHeaderIn(message.headers, "user-agent") ?? ""
  const sentAs = askedAs(message.headers)
  if (sentAs === null && !userAgent.includes("docgauge/")) return method === "GET" ? plainest(record) : null
  return {
    method,
    url: urlOf(record),
    accept: firstHeaderIn(message.headers, "accept") ?? "*/*",
    agent: sentAs === null ? agentOf(userAgent) : "docgauge",
    ...(sentAs === null ? {} : { sentAs }),
    ...(firstHeaderIn(message.headers, "content-type") === null ? {} : { body: textOf(message.body) })
  }
}

const plainest = (record: WarcRecord): Asked => ({
  method: "GET",
  url: urlOf(record),
  accept: "*/*",
  agent: "docgauge"
})

const answerIn = (
  record: WarcRecord,
  requests: ReadonlyMap<string, Asked | null>
): readonly [Asked, Answering] | null => {
  const message = parseHttpMessage(record.block)
  const status = message === null ? null : statusOf(message.startLine)
  if (message === null || status === null) return null
  const ids = [valueOf(record, "warc-record-id"), ...(record.headers.get("warc-concurrent-to") ?? [])]
  const request = ids.map((id) => requests.get(id)).find((one) => one !== undefined)
  const asked = request === undefined ? plainest(record) : request
  return asked === null ? null : [asked, (limitBytes) => answered(record, message, status, limitBytes)]
}

/** The answer as it would have come over the network: decoded, and cut where the limit is. */
const answered = async (record: WarcRecord, message: HttpMessage, status: number, limitBytes: number): Promise<Hop> => {
  const meta = metaOf(record)
  const isChunked = firstHeaderIn(message.headers, "transfer-encoding")?.toLowerCase().includes("chunked") === true
  const wire = Readable.from([isChunked ? dechunked(message.body) : message.body], { objectMode: true })
  try {
    const read = await readResponseBody(wire, firstHeaderIn(message.headers, "content-encoding"), limitBytes)
    const { shortened, ...facts } = Option.getOrElse(
      decodeFacts(valueOf(record, "warc-json-metadata")),
      (): typeof BodyFacts.Type => ({ wireBytes: read.wireBytes })
    )
    const answer = {
      _tag: "HopAnswer",
      status,
      headers: storedHeaders(message.headers),
      ...read,
      ...facts,
      meta
    } as const
    if (shortened === undefined || read.body.length === limitBytes)
      return { ...answer, cut: read.cut || record.cut || valueOf(record, "warc-truncated") !== "" }
    if (!shortened.unread)
      return {
        _tag: "HopFault",
        kind: "archive_cut",
        message: `the archive holds only the first ${read.body.length} of ${shortened.bytes} bytes`,
        meta
      }
    return {
      ...answer,
      cut: shortened.cut || shortened.bytes > limitBytes,
      bodyBytes: Math.min(shortened.bytes, limitBytes)
    }
  } catch (error) {
    const { kind, message: clause } = failureOf(error)
    return { _tag: "HopFault", kind, message: clause, meta }
  }
}
