import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { LONGEST_URL, normalise, onSite } from "./Address.ts"
import { type Agent, type Asked, type Exchange, type FaultKind, type Redirect, redirectLocation } from "./Exchange.ts"
import { FetchLimits } from "./FetchLimits.ts"
import { type Journal, type JournalEntry, type JournalListener, keyOf, makeJournal } from "./Journal.ts"
import { type Allowance, Reservation } from "./Reservation.ts"
import { type HopAnswer, Transport } from "./Transport.ts"

/** What to fetch. A bare string is a GET of that address. */
export interface Ask {
  readonly url: string
  readonly method?: "GET" | "POST"
  /** The value of `Accept`; any type where it is left out. */
  readonly accept?: string
  readonly agent?: Agent
  readonly body?: string
  /** How long a body may get: a page (2 MB) or a document such as an API description or an aggregate (20 MB). */
  readonly limit?: "page" | "document"
}

/**
 * One caller with a reservation of its own of requests and bytes. Faults are data: nothing here fails.
 *
 * Asks of one collector are charged in the order in which they are made, whatever order the answers come in, so that
 * what a budget leaves out is the same every time. Make asks in an order that depends on evidence only.
 */
export interface Collector {
  readonly name: string
  readonly get: (ask: Ask | string) => Effect.Effect<Exchange>
  /** All at once; answers in the order of the asks. */
  readonly getAll: (asks: ReadonlyArray<Ask | string>) => Effect.Effect<ReadonlyArray<Exchange>>
}

/** A limit that bit: how many answers a collector missed, or got cut, for that reason. */
export interface Shortfall {
  readonly collector: string
  readonly reason: "requests" | "bytes" | "deadline" | "size" | "unresponsive" | "rate_limited"
  readonly count: number
}

/** What the door needs to know of an audit. */
export interface EvidenceOptions {
  /** The registrable domain; nothing else is contacted. */
  readonly site: string
  /**
   * A site's production origin that is to be read as `as` wherever an answer names it: for previews, which name their
   * production address in llms.txt, sitemap and links.
   */
  readonly canonicalOrigin: { readonly origin: string; readonly as: string } | null
  /** What the collector of that name may spend. */
  readonly allowanceOf: (collector: string) => Allowance
  readonly listen?: JournalListener
}

/**
 * The one door to the audited site. Requests are memoised per audit by method, normalised address and the headers that
 * matter; two callers at once share one fetch; redirects are followed by hand, each hop memoised and checked.
 */
export class Evidence extends Context.Service<Evidence, {
  /** The collector of that name, made on first use with the reservation that the plan has for it. */
  readonly collector: (name: string) => Collector
  /** Everything sent so far, in a defined order. */
  readonly journal: Effect.Effect<ReadonlyArray<JournalEntry>>
  /** Limits that bit so far, by collector and reason. */
  readonly shortfalls: Effect.Effect<ReadonlyArray<Shortfall>>
}>()("docgauge/evidence/Evidence") {
  static readonly layer = (options: EvidenceOptions): Layer.Layer<Evidence, never, Transport> =>
    Layer.effect(
      Evidence,
      Effect.gen(function*() {
        const limits = yield* FetchLimits
        const scope = yield* Effect.scope
        const journal = yield* makeJournal(yield* Transport, scope, limits.gatherMs, options.listen ?? (() => {}))
        const collectors = new Map<string, Collector>()
        const short = new Map<string, Shortfall>()
        const fallShort = (collector: string, reason: Shortfall["reason"]) => {
          const key = `${collector} ${reason}`
          short.set(key, { collector, reason, count: (short.get(key)?.count ?? 0) + 1 })
        }
        const collector = (name: string): Collector => {
          const known = collectors.get(name)
          if (known !== undefined) return known
          const made = makeCollector({ ...options, name, limits, scope, fallShort, journal, allowance: options.allowanceOf(name) })
          collectors.set(name, made)
          return made
        }
        const shortfalls = Effect.sync(() => [...short].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item))
        return Evidence.of({ collector, journal: journal.entries, shortfalls })
      })
    )
}

/** What an ask came to, and what it took. */
interface Followed {
  readonly exchange: Exchange
  /** Length of the body, whether it is still there or not. */
  readonly bytes: number
  readonly dropped: boolean
  /** Every request on the way. */
  readonly hops: ReadonlyArray<Asked>
}

/** The limit that bit; `null` where none did. */
const shortfallOf = (exchange: Exchange): Shortfall["reason"] | null => {
  if (exchange._tag === "Answer") return exchange.cut ? "size" : null
  if (exchange.kind === "budget") return "requests"
  return exchange.kind === "deadline" || exchange.kind === "unresponsive" || exchange.kind === "rate_limited" ? exchange.kind : null
}

/** The address of a file, such as `/openapi.json`, or below `/.well-known/`: nothing that a slash could be put behind. */
const isFile = (url: string): boolean => /\.[a-z][a-z0-9]{1,7}$|^\/\.well-known\/./.test(new URL(url).pathname)

const askedOf = (ask: Ask): Asked => ({
  method: ask.method ?? "GET",
  url: normalise(ask.url) ?? ask.url,
  accept: ask.accept ?? "*/*",
  agent: ask.agent ?? "docgauge",
  ...(ask.body === undefined ? {} : { body: ask.body })
})

/** Reads one origin as another, in text of any encoding that has ASCII in it. */
const rename = (body: Uint8Array, origin: string, as: string): Uint8Array => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return text.includes(origin) ? Buffer.from(text.replaceAll(new RegExp(`${RegExp.escape(origin)}(?![\\w.-])`, "g"), as), "latin1") : body
}

const makeCollector = (options: EvidenceOptions & {
  readonly name: string
  readonly limits: FetchLimits
  readonly scope: Scope.Scope
  readonly journal: Pick<Journal, "send" | "settle">
  readonly allowance: Allowance
  readonly fallShort: (collector: string, reason: Shortfall["reason"]) => void
}): Collector => {
  const { allowance, canonicalOrigin, fallShort, journal, limits, name } = options
  const { rank = 0 } = allowance
  const reservation = new Reservation(allowance, { redirects: limits.redirects, bytes: limits.documentBytes })
  const asks = new Map<string, Deferred.Deferred<Exchange>>()

  /** Why an address may not be contacted at all. */
  const refusal = (url: string): readonly [FaultKind, string] | null => {
    if (url.length > LONGEST_URL) return ["bad_address", `the address is longer than ${LONGEST_URL} characters`]
    const parsed = URL.parse(url)
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return ["bad_address", "not an http or https address"]
    if (parsed.username !== "" || parsed.password !== "") return ["bad_address", "the address holds a user name or password"]
    if (parsed.port !== "" && Number(parsed.port) < 1024) return ["bad_address", `port ${parsed.port} is not allowed`]
    return onSite(url, options.site) ? null : ["off_site", `not on ${options.site}; never contacted`]
  }

  const follow = Effect.fnUntraced(function*(first: Asked, index: number, limitBytes: number): Effect.fn.Return<Followed> {
    const redirects: Array<Redirect> = []
    const hops: Array<Asked> = []
    let asked = first
    const fault = (kind: FaultKind, message: string): Followed =>
      ({ exchange: { _tag: "Fault", asked: first, url: asked.url, kind, message, redirects }, bytes: 0, dropped: false, hops })
    const answer = (hop: HopAnswer): Followed => {
      const { cut, headers, status, wireBytes } = hop
      const body = canonicalOrigin === null ? hop.body : rename(hop.body, canonicalOrigin.origin, canonicalOrigin.as)
      return {
        exchange: { _tag: "Answer", asked: first, url: asked.url, status, headers, body, cut, wireBytes, redirects },
        bytes: hop.droppedBytes ?? hop.bodyBytes ?? hop.body.length,
        dropped: hop.droppedBytes !== undefined,
        hops
      }
    }
    while (true) {
      hops.push(asked)
      const hop = yield* journal.send({ asked, limitBytes, rank, wanted: () => reservation.hasRoom(index) }, { collector: name, ask: index })
      if (hop._tag === "HopFault") return fault(hop.kind, hop.message)
      const location = redirectLocation(asked.method, hop)
      if (location === null) return answer(hop)
      const target = normalise(canonicalOrigin === null ? location : location.replace(canonicalOrigin.origin, canonicalOrigin.as), asked.url)
      if (target === null) return fault("malformed", "redirected to something that is no address, or a longer one than is read")
      const from = asked.url
      redirects.push({ url: from, status: hop.status, location: target })
      asked = { ...asked, url: target }
      if (redirects.some((redirect) => redirect.url === target)) return fault("redirect_loop", "redirected in a circle")
      if (redirects.length > limits.redirects) return fault("too_many_redirects", `redirected more than ${limits.redirects} times`)
      const refused = refusal(target)
      if (refused !== null) return fault(...refused)
      if (yield* reservation.redirect(index)) continue
      if (!isFile(from) || target !== `${from}/`) return fault("budget", `the redirects set aside for ${name} are used up`)
      // A server that puts a slash behind every address has no such file; what it says of the folder need not be asked.
      redirects.pop()
      asked = { ...asked, url: from }
      return answer(hop)
    }
  })

  const fetch = Effect.fnUntraced(function*(asked: Asked, index: number, limitBytes: number): Effect.fn.Return<Exchange> {
    const { bytes, dropped, exchange, hops } = yield* follow(asked, index, limitBytes)
    const kept = (yield* reservation.keep(index, bytes)) && !dropped
    for (const hop of hops) journal.settle(hop, { collector: name, ask: index }, kept)
    const reason = kept ? shortfallOf(exchange) : "bytes"
    if (reason !== null) fallShort(name, reason)
    // Whether it was sent at all, and where it led, is a matter of timing.
    return kept ? exchange : { _tag: "Fault", asked, url: asked.url, kind: "budget", message: `the bytes set aside for ${name} are used up`, redirects: [] }
  })

  /** Takes its place in line at once, so that charges go by the order of asking. */
  const start = Effect.fnUntraced(function*(ask: Ask | string) {
    const wanted: Ask = typeof ask === "string" ? { url: ask } : ask
    const asked = askedOf(wanted)
    const key = keyOf(asked)
    const known = asks.get(key)
    if (known !== undefined) return known
    const result = Deferred.makeUnsafe<Exchange>()
    asks.set(key, result)
    const refused = refusal(asked.url)
    const index = refused === null ? reservation.enter() : null
    if (index === null) {
      if (refused === null) fallShort(name, "requests")
      const [kind, message]: readonly [FaultKind, string] = refused ?? ["budget", `the ${allowance.requests} requests set aside for ${name} are used up`]
      yield* Deferred.succeed(result, { _tag: "Fault", asked, url: asked.url, kind, message, redirects: [] })
      return result
    }
    const limitBytes = Math.min(wanted.limit === "document" ? limits.documentBytes : limits.pageBytes, allowance.bytes)
    yield* fetch(asked, index, limitBytes).pipe(Deferred.into(result), Effect.forkIn(options.scope, { startImmediately: true }))
    return result
  })

  return {
    name,
    get: (ask) => Effect.flatMap(start(ask), Deferred.await),
    getAll: (list) => Effect.flatMap(Effect.forEach(list, start), (results) => Effect.forEach(results, Deferred.await))
  }
}
