import * as Effect from "effect/Effect"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import type { Asked } from "../../evidence/Exchange.ts"
import { type JournalEntry, keyOf } from "../../evidence/Journal.ts"
import type { Hop, Transport } from "../../evidence/Transport.ts"

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
