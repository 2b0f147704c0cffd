import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { letGoOf } from "./LargeBytes.ts"
import { type Asked, type Exchange, type FaultKind, isAnswer } from "./Exchange.ts"
import type { Hop, HopAnswer, HopRequest, Transport } from "./Transport.ts"

/** One request of the audit, as it was sent and answered, and who wanted it. */
export interface JournalEntry {
  readonly request: HopRequest
  readonly hop: Hop
  /** Collectors that requested it or were redirected to it, sorted. */
  readonly callers: ReadonlyArray<string>
  /**
   * Whether a caller got the answer. A request beyond all reservations may or may not be sent, depending on timing, so nothing
   * in a report may depend on it.
   */
  readonly seen: boolean
}

/** The sender of a request: a collector, and the number of its request. */
interface RequestCaller {
  readonly collector: string
  readonly ask: number
}

/** Sends each request of an audit once and keeps the response. */
export interface Journal {
  /** Sends the request for `caller`, or shares an existing or pending answer. */
  readonly send: (request: HopRequest, caller: RequestCaller) => Effect.Effect<Hop>
  /** Reports whether `caller` keeps an answer or has no room for it. A body for which no caller has room is freed. */
  readonly settle: (asked: Asked, caller: RequestCaller, kept: boolean) => void
  /** All requests that were answered so far, in a fixed order. */
  readonly entries: Effect.Effect<ReadonlyArray<JournalEntry>>
}

/** Notified when requests start and end; for progress only. */
export type JournalListener = (event: { readonly _tag: "Sent" | "Answered"; readonly url: string }) => void

interface Slot {
  readonly limitBytes: number
  readonly hop: Deferred.Deferred<Hop>
  /** For each caller, whether it still needs the answer. */
  readonly callers: Map<string, () => boolean>
  /** Callers that have no room for it. */
  readonly refusedBy: Set<string>
}

interface Answered {
  readonly request: HopRequest
  readonly hop: Hop
  readonly callers: Set<string>
  seen: boolean
}

/** The identity of a request. */
export const keyOf = ({ accept, agent, body = "", method, sentAs, url }: Asked): string =>
  [method, url, accept, agent, body, ...(sentAs === undefined ? [] : [sentAs.id])].join("\n")

const nameOf = ({ ask, collector }: RequestCaller): string => `${ask} ${collector}`

const always = (): boolean => true

const lengthOf = ({ body, bodyBytes }: HopAnswer): number => bodyBytes ?? body.length

/** The answer as a caller with a smaller limit would have received it. */
const within = (hop: Hop, limitBytes: number): Hop => {
  if (hop._tag === "HopFault") return hop
  if (hop.droppedBytes !== undefined) return { ...hop, droppedBytes: Math.min(hop.droppedBytes, limitBytes) }
  if (lengthOf(hop) <= limitBytes) return hop
  return {
    ...hop,
    body: hop.body.subarray(0, limitBytes),
    cut: true,
    ...(hop.bodyBytes === undefined ? {} : { bodyBytes: limitBytes })
  }
}

const isUnsent = (hop: Hop): boolean => hop._tag === "HopFault" && hop.kind === "budget"

/**
 * Merges two answers to one request, of which the second was read further: the second with the headers of the first if its body
 * continues the first's, otherwise the first. So all callers get the same answer, now and in a replay.
 */
const reconciled = (narrow: HopAnswer, wide: Hop): Hop => {
  const goesOn =
    wide._tag === "HopAnswer" &&
    wide.status === narrow.status &&
    wide.body.length >= narrow.body.length &&
    Buffer.compare(narrow.body, wide.body.subarray(0, narrow.body.length)) === 0
  return goesOn ? { ...wide, headers: narrow.headers } : narrow
}

/**
 * A journal over a transport. Requests run in `scope`, so that a caller that gives up does not take the answer from
 * the others; after `gatherMs` every request comes back as a `deadline` fault.
 */
export const makeJournal = Effect.fnUntraced(function* (
  transport: Transport["Service"],
  scope: Scope.Scope,
  gatherMs: number,
  listen: JournalListener
): Effect.fn.Return<Journal> {
  const slots = new Map<string, Slot>()
  const answered = new Map<string, Answered>()
  const deadline = (yield* Clock.currentTimeMillis) + gatherMs

  const fetch = Effect.fnUntraced(function* (request: HopRequest): Effect.fn.Return<Hop> {
    const now = yield* Clock.currentTimeMillis
    const late: Hop = {
      _tag: "HopFault",
      kind: "deadline",
      message: `the time limit of ${gatherMs / 1000} s ended before it answered`,
      meta: { peer: null, sentAt: now, firstByteMs: null, attempts: 0 }
    }
    if (now >= deadline) return late
    listen({ _tag: "Sent", url: request.asked.url })
    const hop = yield* transport
      .send(request)
      .pipe(Effect.timeoutOrElse({ duration: deadline - now, orElse: () => Effect.succeed(late) }))
    listen({ _tag: "Answered", url: request.asked.url })
    return hop
  })

  /** Fetches; `before` is what was read to a smaller limit, and for whom. */
  const open = Effect.fnUntraced(function* (
    key: string,
    { asked, limitBytes, rank = 0 }: HopRequest,
    before: { readonly slot: Slot; readonly answer: HopAnswer } | null
  ) {
    const slot: Slot = {
      limitBytes,
      hop: Deferred.makeUnsafe(),
      callers: new Map(before?.slot.callers),
      refusedBy: new Set(before?.slot.refusedBy)
    }
    slots.set(key, slot)
    const request = { asked, limitBytes, rank, wanted: () => [...slot.callers.values()].some((wanted) => wanted()) }
    const keep = (hop: Hop): Hop => {
      if (isUnsent(hop)) {
        slots.delete(key)
        return hop
      }
      const kept = before === null ? hop : reconciled(before.answer, hop)
      const { callers, seen } = answered.get(key) ?? { callers: new Set(), seen: false }
      answered.set(key, { request: { asked, limitBytes }, hop: kept, callers, seen })
      return kept
    }
    yield* fetch(request).pipe(Effect.map(keep), Deferred.into(slot.hop), Effect.forkIn(scope))
    return slot
  })

  const join = (slot: Slot, { wanted = always }: HopRequest, caller: RequestCaller): Effect.Effect<Hop> => {
    slot.callers.set(nameOf(caller), wanted)
    return Deferred.await(slot.hop)
  }

  const send = Effect.fnUntraced(function* (request: HopRequest, caller: RequestCaller): Effect.fn.Return<Hop> {
    const key = keyOf(request.asked)
    const { wanted = always } = request
    for (;;) {
      const slot = slots.get(key) ?? (yield* open(key, request, null))
      let hop = yield* join(slot, request, caller)
      // Read before to a smaller limit that cut it short: only then is a URL fetched again.
      if (
        hop._tag === "HopAnswer" &&
        hop.cut &&
        hop.droppedBytes === undefined &&
        slot.limitBytes < request.limitBytes
      ) {
        const current = slots.get(key)
        const isWider = current !== undefined && current.limitBytes >= request.limitBytes
        hop = yield* join(isWider ? current : yield* open(key, request, { slot, answer: hop }), request, caller)
      }
      // The request was cancelled before it was sent; a later caller that still needs it queues it again.
      if (isUnsent(hop) && wanted()) continue
      answered.get(key)?.callers.add(caller.collector)
      return within(hop, request.limitBytes)
    }
  })

  const settle = (asked: Asked, caller: RequestCaller, kept: boolean): void => {
    const key = keyOf(asked)
    const entry = answered.get(key)
    const slot = slots.get(key)
    if (entry === undefined || slot === undefined) return
    if (kept) entry.seen = true
    else slot.refusedBy.add(nameOf(caller))
    const { hop } = entry
    if (
      entry.seen ||
      hop._tag === "HopFault" ||
      hop.droppedBytes !== undefined ||
      slot.refusedBy.size < slot.callers.size
    )
      return
    slots.delete(key)
    answered.set(key, { ...entry, hop: { ...hop, body: new Uint8Array(0), cut: true, droppedBytes: lengthOf(hop) } })
    letGoOf(hop.body)
  }

  const entries = Effect.sync(() =>
    [...answered]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { callers, ...entry }]): JournalEntry => ({ ...entry, callers: [...callers].sort() }))
  )
  return { send, settle, entries }
})

/** Faults of requests that were not sent, or not to the URL that they name: the refusal itself is the proof. */
const NEVER_SENT: ReadonlySet<FaultKind> = new Set([
  "off_site",
  "bad_address",
  "not_public",
  "blocked",
  "shut_out",
  "budget",
  "too_many_bytes",
  "deadline",
  "unresponsive",
  "rate_limited",
  "too_many_redirects"
])

/** Tells whether an exchange is one of the journal's: the same request, the same final URL and the same outcome. */
export const fetchedIn = (journal: ReadonlyArray<JournalEntry>): ((proof: Exchange) => boolean) => {
  const hops = new Map(journal.map(({ hop, request }) => [keyOf(request.asked), hop]))
  return (proof) => {
    if (!isAnswer(proof) && NEVER_SENT.has(proof.kind)) return true
    const last: Asked = { ...proof.asked, url: proof.url }
    const hop = hops.get(keyOf(last))
    if (hop === undefined || !hops.has(keyOf(proof.asked))) return false
    return !isAnswer(proof) || (hop._tag === "HopAnswer" && hop.status === proof.status)
  }
}
