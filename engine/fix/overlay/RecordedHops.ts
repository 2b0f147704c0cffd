import * as Effect from "effect/Effect"
import { type JournalEntry, keyOf } from "../../evidence/Journal.ts"
import type { Hop, Transport } from "../../evidence/Transport.ts"

type Send = Transport["Service"]["send"]

/** Requests that were left out for want of time or budget may be sent now. */
const LEFT_OUT: ReadonlySet<string> = new Set(["budget", "deadline"])

/** Answers from the journal of an audit; what that did not ask for is sent. */
export const recordedFirst = (journal: ReadonlyArray<JournalEntry>, send: Send): Send => {
  const known = new Map(journal.map(({ hop, request }) => [keyOf(request.asked), hop] as const))
  return (request) => {
    const hop = known.get(keyOf(request.asked))
    return hop === undefined || !holds(hop, request.limitBytes)
      ? send(request)
      : Effect.succeed(within(hop, request.limitBytes))
  }
}

const holds = (hop: Hop, limitBytes: number): boolean =>
  hop._tag === "HopFault"
    ? !LEFT_OUT.has(hop.kind)
    : !hop.cut || (hop.droppedBytes === undefined && hop.body.length >= limitBytes)

const within = (hop: Hop, limitBytes: number): Hop =>
  hop._tag === "HopFault" || hop.body.length <= limitBytes
    ? hop
    : { ...hop, body: hop.body.subarray(0, limitBytes), cut: true }
