import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { normalise } from "../../engine/evidence/Address.ts"
import type { Ask } from "../../engine/evidence/Collector.ts"
import type { Answer, Exchange, Fault } from "../../engine/evidence/Exchange.ts"
import { defaultLimits, type FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import type { Base, GatherContext } from "../../engine/site/base/Derivation.ts"

export const ORIGIN = "https://docs.example.com"

/** What a path answers: a text with 200, a status, or more; a function sees the ask. `null`: nothing, until the time is over. */
export type Reply = Given | NoReply | null

/** Why a path gives no answer. */
interface NoReply {
  readonly fault: Fault["kind"]
}

type Given = string | number | FullReply | ((ask: Ask) => FullReply)

export interface FullReply {
  readonly status?: number
  readonly type?: string
  readonly headers?: ReadonlyArray<readonly [string, string]>
  readonly body?: string | Uint8Array
  /** Where the answer says it comes from, if not where it was asked. */
  readonly url?: string
}

export type Replies = Readonly<Record<string, Reply>>

export interface FakeContext {
  readonly context: GatherContext
  /** Every address that was asked, in the order of the asks, paths only on the site's own host. */
  readonly asked: Array<string>
  /** How many calls of `get` and `getAll` there were: rounds of waiting, at most. */
  readonly rounds: () => number
}

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  xml: "application/xml",
  json: "application/json",
  gz: "application/gzip"
}

const typeOf = (url: string): string => TYPES[new URL(url).pathname.split(".").at(-1) ?? ""] ?? "text/html"

/** An answer of the fake site, for tests that need no context. */
export const answerOf = (url: string, reply: Given, ask: Ask = { url }): Answer => {
  const full: FullReply =
    typeof reply === "string"
      ? { body: reply }
      : typeof reply === "number"
        ? { status: reply }
        : typeof reply === "function"
          ? reply(ask)
          : reply
  const body = full.body ?? ""
  return {
    _tag: "Answer",
    asked: { method: "GET", url, accept: ask.accept ?? "*/*", agent: "docgauge" },
    url: full.url ?? url,
    status: full.status ?? 200,
    headers: [["content-type", full.type ?? typeOf(url)], ...(full.headers ?? [])],
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    cut: false,
    wireBytes: body.length,
    redirects: []
  }
}

export const faultOf = (url: string, kind: Fault["kind"] = "first_byte_timeout"): Exchange => ({
  _tag: "Fault",
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
  url,
  kind,
  message: "no answer within 15 s",
  redirects: []
})

export interface FakeOptions {
  /** The base's path, ending in a slash. */
  readonly prefix?: string
  readonly limits?: Partial<FetchLimits>
  /** What paths without a reply answer; 404 unless given. */
  readonly otherwise?: Reply
}

export const fakeBase = (prefix = "/"): Base => {
  const url = `${ORIGIN}${prefix}`
  return {
    audited: url,
    url,
    origin: ORIGIN,
    prefix,
    folder: url,
    site: "example.com",
    redirects: [],
    exchange: answerOf(url, "<h1>Docs</h1>"),
    page: null
  }
}

/** A context whose collector answers from a map of paths, and that parses nothing. */
export const fakeContext = (replies: Replies, options: FakeOptions = {}): FakeContext => {
  const asked: Array<string> = []
  let rounds = 0
  const answer = (request: Ask | string): Exchange => {
    const ask = typeof request === "string" ? { url: request } : request
    const { url } = ask
    const path = url.startsWith(`${ORIGIN}/`) ? url.slice(ORIGIN.length) : url
    asked.push(path)
    const { otherwise = 404 } = options
    const { [path]: reply = otherwise } = replies
    if (reply === null) return faultOf(url)
    return typeof reply === "object" && "fault" in reply ? faultOf(url, reply.fault) : answerOf(url, reply, ask)
  }
  const untouched = Effect.die(new Error("no parsing in these tests"))
  const context: GatherContext = {
    base: fakeBase(options.prefix),
    collector: {
      name: "test",
      get: (ask) => Effect.sync(() => (rounds++, answer(ask))),
      getAll: (asks) => Effect.sync(() => (rounds++, asks.map(answer)))
    },
    parsing: {
      page: () => untouched,
      markdown: () => untouched,
      asAgent: () => untouched,
      outline: () => untouched,
      pageAndMarkdown: () => untouched,
      spec: () => untouched,
      select: () => untouched,
      places: () => untouched,
      expectSpec: Effect.void,
      rest: Effect.void
    },
    sampleSize: 20,
    namedPages: [],
    opening: Deferred.makeUnsafe(),
    limits: Object.assign({}, defaultLimits, options.limits),
    date: "2026-06-15",
    resolve: (href, from) => normalise(href, from)
  }
  return { context, asked, rounds: () => rounds }
}

/** A probe that the site answered honestly: it sends 404 for what does not exist. */
export const HONEST = { places: [], catchAll: false } as const
