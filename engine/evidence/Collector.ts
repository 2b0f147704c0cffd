import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { LONGEST_URL, normalise, onSite } from "./Address.ts"
import { type Allowance, Reservation } from "./AuditBudget.ts"
import {
  type Agent,
  type Asked,
  type AskedAs,
  type Exchange,
  type FaultKind,
  type Redirect,
  redirectLocation
} from "./Exchange.ts"
import type { FetchLimits } from "./FetchLimits.ts"
import { type Journal, keyOf } from "./Journal.ts"
import type { HopAnswer } from "./Transport.ts"

/** What to fetch. A bare string is a GET of that URL. */
export interface Ask {
  readonly url: string
  readonly method?: "GET" | "POST"
  /** The value of `Accept`; any type by default. */
  readonly accept?: string
  readonly agent?: Agent
  readonly body?: string
  /** The limit of the body: that of a page (2 MB, the default) or of a document such as an API description (20 MB). */
  readonly limit?: "page" | "document"
}

/** A GET of a document, such as an API description. */
export const asDocument = (url: string): Ask => ({ url, limit: "document" })

/**
 * A caller with its own reservation of requests and bytes. Faults are data: nothing here fails.
 *
 * Requests of one collector are charged in the order in which they are made, whatever order the responses come in, so that a budget
 * leaves out the same requests every time. Make them in an order that depends on evidence only.
 */
export interface Collector {
  readonly name: string
  readonly get: (ask: Ask | string) => Effect.Effect<Exchange>
  /** All at once; exchanges in the order of the requests. */
  readonly getAll: (asks: ReadonlyArray<Ask | string>) => Effect.Effect<ReadonlyArray<Exchange>>
}

/** How many responses a collector missed or got truncated because of a limit. */
export interface Shortfall {
  readonly collector: string
  readonly reason: "requests" | "bytes" | "deadline" | "size" | "unresponsive" | "rate_limited"
  readonly count: number
}

/** The site that a collector may contact, and the origin that its responses name for it. */
export interface SiteBounds {
  /** The registrable domain; no other host is contacted. */
  readonly site: string
  /**
   * A production origin that is read as `as` wherever a response names it: previews name their production URL in llms.txt, sitemap
   * and links.
   */
  readonly canonicalOrigin: { readonly origin: string; readonly as: string } | null
}

/** Reads the answer to a request for a host's robots.txt: whether it lets docgauge, by name, fetch a URL there. */
export type ReadRobots = (robots: Exchange) => Effect.Effect<(url: string) => boolean>

/** The outcome of a request after its redirects, and what it cost. */
interface Followed {
  readonly exchange: Exchange
  /** Length of the body, even if it was dropped. */
  readonly bytes: number
  readonly dropped: boolean
  /** All requests, redirects included. */
  readonly hops: ReadonlyArray<Asked>
}

/** The limit that kept a response from being complete; `null` if none did. */
const shortfallOf = (exchange: Exchange): Shortfall["reason"] | null => {
  if (exchange._tag === "Answer") return exchange.cut ? "size" : null
  if (exchange.kind === "budget" || exchange.kind === "too_many_requests") return "requests"
  if (exchange.kind === "too_many_bytes") return "bytes"
  return exchange.kind === "deadline" || exchange.kind === "unresponsive" || exchange.kind === "rate_limited"
    ? exchange.kind
    : null
}

/** Another agent that requests are sent as, and the value of `Accept` that it sends. */
interface SentAs {
  readonly agent: AskedAs
  readonly accept: string
}

const askedOf = (ask: Ask, as: SentAs | undefined): Asked => ({
  method: ask.method ?? "GET",
  url: normalise(ask.url) ?? ask.url,
  accept: ask.accept ?? as?.accept ?? "*/*",
  agent: ask.agent ?? "docgauge",
  ...(as === undefined ? {} : { sentAs: as.agent }),
  ...(ask.body === undefined ? {} : { body: ask.body })
})

/** Replaces an origin by another, in text of any encoding that contains ASCII. */
export const renamed = (body: Uint8Array, origin: string, as: string): Uint8Array => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return text.includes(origin)
    ? Buffer.from(text.replaceAll(new RegExp(`${origin.replaceAll(/\W/g, "\\$&")}(?![\\w.-])`, "g"), as), "latin1")
    : body
}

/** A collector that spends `allowance`; requests go through the journal of the audit, and run in `scope`. */
export const makeCollector = (
  options: SiteBounds & {
    readonly name: string
    readonly limits: FetchLimits
    readonly scope: Scope.Scope
    readonly journal: Pick<Journal, "send" | "settle">
    readonly allowance: Allowance
    /** Left out: requests are our own. */
    readonly as?: SentAs
    /** The only host of the site that is contacted, with its port; left out: all of them are. */
    readonly host?: string | undefined
    /** Left out: no host is asked for its robots.txt. */
    readonly readRobots?: ReadRobots | undefined
    readonly fallShort: (collector: string, reason: Shortfall["reason"]) => void
  }
): Collector => {
  const { allowance, as, canonicalOrigin, fallShort, journal, limits, name, readRobots = null } = options
  const { rank = 0 } = allowance
  const reservation = new Reservation(allowance, limits.documentBytes)
  const asks = new Map<string, Deferred.Deferred<Exchange>>()
  const rulesOf = new Map<string, Effect.Effect<(url: string) => boolean>>()

  /** Why a URL may not be contacted at all. */
  const refusal = (url: string): readonly [FaultKind, string] | null => {
    if (url.length > LONGEST_URL) return ["bad_address", `the URL is longer than ${LONGEST_URL} characters`]
    const parsed = URL.parse(url)
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return ["bad_address", "not an http or https URL"]
    if (parsed.username !== "" || parsed.password !== "")
      return ["bad_address", "the URL holds a user name or password"]
    if (parsed.port !== "" && Number(parsed.port) < 1024) return ["bad_address", `port ${parsed.port} is not allowed`]
    if (!onSite(url, options.site)) return ["off_site", `not on ${options.site}; never contacted`]
    const { host = parsed.host } = options
    return parsed.host === host ? null : ["off_site", `not on ${host}, which alone is asked so`]
  }

  /** What robots.txt of a host says. Like a redirect it belongs to the request that needs it, and takes nothing from the reservation. */
  const readRules = Effect.fnUntraced(function* (
    url: string,
    index: number,
    read: ReadRobots
  ): Effect.fn.Return<(url: string) => boolean> {
    const { exchange, hops } = yield* follow(askedOf({ url }, as), index, limits.pageBytes, null)
    for (const hop of hops) journal.settle(hop, { collector: name, ask: index }, true)
    return yield* read(exchange)
  })

  const isOpen = Effect.fnUntraced(function* (url: string, index: number, read: ReadRobots): Effect.fn.Return<boolean> {
    const { host, origin, pathname } = new URL(url)
    if (pathname === "/robots.txt") return true
    const known = rulesOf.get(host) ?? (yield* Effect.cached(readRules(`${origin}/robots.txt`, index, read)))
    rulesOf.set(host, known)
    return (yield* known)(url)
  })

  const follow = Effect.fnUntraced(function* (
    first: Asked,
    index: number,
    limitBytes: number,
    read: ReadRobots | null
  ): Effect.fn.Return<Followed> {
    const redirects: Array<Redirect> = []
    const hops: Array<Asked> = []
    let asked = first
    const fault = (kind: FaultKind, message: string): Followed => ({
      exchange: { _tag: "Fault", asked: first, url: asked.url, kind, message, redirects },
      bytes: 0,
      dropped: false,
      hops
    })
    const answer = (hop: HopAnswer): Followed => {
      const { cut, headers, status, wireBytes } = hop
      const body = canonicalOrigin === null ? hop.body : renamed(hop.body, canonicalOrigin.origin, canonicalOrigin.as)
      return {
        exchange: { _tag: "Answer", asked: first, url: asked.url, status, headers, body, cut, wireBytes, redirects },
        bytes: hop.droppedBytes ?? hop.bodyBytes ?? hop.body.length,
        dropped: hop.droppedBytes !== undefined,
        hops
      }
    }
    while (true) {
      if (read !== null && !(yield* isOpen(asked.url, index, read)))
        return fault(
          "shut_out",
          as === undefined
            ? "robots.txt of its host forbids docgauge by name, so we did not ask for it"
            : "robots.txt of its host does not let this agent ask for it"
        )
      hops.push(asked)
      const hop = yield* journal.send(
        { asked, limitBytes, rank, wanted: () => reservation.hasRoom(index) },
        { collector: name, ask: index }
      )
      if (hop._tag === "HopFault") return fault(hop.kind, hop.message)
      const location = redirectLocation(asked.method, hop)
      if (location === null) return answer(hop)
      const target = normalise(
        canonicalOrigin === null ? location : location.replace(canonicalOrigin.origin, canonicalOrigin.as),
        asked.url
      )
      if (target === null)
        return fault("malformed", "redirected to something that is no URL, or to one that is too long")
      redirects.push({ url: asked.url, status: hop.status, location: target })
      asked = { ...asked, url: target }
      if (redirects.some((redirect) => redirect.url === target)) return fault("redirect_loop", "redirected in a circle")
      if (redirects.length > limits.redirects)
        return fault("too_many_redirects", `redirected more than ${limits.redirects} times`)
      const refused = refusal(target)
      if (refused !== null) return fault(...refused)
    }
  })

  const fetch = Effect.fnUntraced(function* (
    asked: Asked,
    index: number,
    limitBytes: number
  ): Effect.fn.Return<Exchange> {
    const { bytes, dropped, exchange, hops } = yield* follow(asked, index, limitBytes, readRobots)
    const kept = (yield* reservation.keep(index, bytes)) && !dropped
    for (const hop of hops) journal.settle(hop, { collector: name, ask: index }, kept)
    const reason = kept ? shortfallOf(exchange) : "bytes"
    if (reason !== null) fallShort(name, reason)
    // Whether it was sent, and where it redirected, depends on timing, so the exchange says neither.
    return kept
      ? exchange
      : {
          _tag: "Fault",
          asked,
          url: asked.url,
          kind: "budget",
          message: "we reached the limit of bytes for such requests",
          redirects: []
        }
  })

  /** Reserves its request at once, so that charges follow the order of the calls. */
  const start = Effect.fnUntraced(function* (ask: Ask | string) {
    const wanted: Ask = typeof ask === "string" ? { url: ask } : ask
    const asked = askedOf(wanted, as)
    const key = keyOf(asked)
    const known = asks.get(key)
    if (known !== undefined) return known
    const result = Deferred.makeUnsafe<Exchange>()
    asks.set(key, result)
    const refused = refusal(asked.url)
    const index = refused === null ? reservation.enter() : null
    if (index === null) {
      if (refused === null) fallShort(name, "requests")
      const [kind, message]: readonly [FaultKind, string] = refused ?? [
        "budget",
        `we reached the limit of ${allowance.requests} such requests`
      ]
      yield* Deferred.succeed(result, { _tag: "Fault", asked, url: asked.url, kind, message, redirects: [] })
      return result
    }
    const limitBytes = Math.min(wanted.limit === "document" ? limits.documentBytes : limits.pageBytes, allowance.bytes)
    yield* fetch(asked, index, limitBytes).pipe(
      Deferred.into(result),
      Effect.forkIn(options.scope, { startImmediately: true })
    )
    return result
  })

  return {
    name,
    get: (ask) => Effect.flatMap(start(ask), Deferred.await),
    getAll: (list) => Effect.flatMap(Effect.forEach(list, start), (results) => Effect.forEach(results, Deferred.await))
  }
}
