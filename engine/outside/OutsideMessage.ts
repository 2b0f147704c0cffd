import * as Schema from "effect/Schema"
import { type Answer, type Exchange, FAULT_KINDS } from "../evidence/Exchange.ts"
import type { Base } from "../site/Gathering.ts"

/** What the thread is started for. */
export interface OutsideTask {
  readonly module: string
  readonly exported: string | null
  readonly params: unknown
  /** `null`: only describe the plugin. */
  readonly site: { readonly base: Base; readonly date: string } | null
}

/** What a plugin may ask of the site: the derivations, and the door. */
export const SITE_CALLS = [
  "canary", "robots", "llmsTxt", "aggregates", "sitemaps", "sample", "opening", "subjects", "twins", "negotiation", "spec", "get", "getAll",
  "read"
] as const

const FactKind = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["count", "share", "flag"]), meaning: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("word"), meaning: Schema.String, words: Schema.Array(Schema.String) })
])

const Url = Schema.String.check(Schema.makeFilter((text) => URL.canParse(text)))

const exchangeFields = {
  asked: Schema.Struct({
    method: Schema.Literals(["GET", "POST"]),
    url: Url,
    accept: Schema.String,
    agent: Schema.Literals(["docgauge", "browser"]),
    body: Schema.optionalKey(Schema.String)
  }),
  url: Url,
  redirects: Schema.Array(Schema.Struct({ url: Url, status: Schema.Int, location: Schema.String }))
}

const AnswerMessage = Schema.TaggedStruct("Answer", {
  ...exchangeFields,
  status: Schema.Int,
  headers: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  body: Schema.instanceOf(Uint8Array),
  cut: Schema.Boolean,
  wireBytes: Schema.Finite
})

/** An answer that a thread gives back to be read. */
export const isAnswerMessage: (value: unknown) => value is Answer = Schema.is(AnswerMessage)

/** A whole exchange: what is cited in a report is looked at everywhere, so half of one would fail the audit elsewhere. */
const ExchangeMessage: Schema.Codec<Exchange> = Schema.Union([
  AnswerMessage,
  Schema.TaggedStruct("Fault", { ...exchangeFields, kind: Schema.Literals(FAULT_KINDS), message: Schema.String })
])

const FindingMessage = Schema.Struct({ good: Schema.Boolean, message: Schema.String, proof: ExchangeMessage })

/** What the thread says; nothing of it is believed before it fits. */
export const OutsideMessage = Schema.Union([
  Schema.TaggedStruct("Described", {
    id: Schema.String,
    revision: Schema.Int.check(Schema.isGreaterThan(0)),
    facts: Schema.Record(Schema.String, FactKind),
    /** What is wrong with the params; `null`: nothing. */
    paramsFault: Schema.NullOr(Schema.String)
  }),
  Schema.TaggedStruct("Call", { call: Schema.Int, name: Schema.Literals(SITE_CALLS), argument: Schema.Unknown }),
  Schema.TaggedStruct("Measured", {
    facts: Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.Boolean, Schema.String])),
    findings: Schema.NonEmptyArray(FindingMessage)
  }),
  Schema.TaggedStruct("Unobtainable", { message: Schema.String, exchange: ExchangeMessage }),
  Schema.TaggedStruct("Failed", { message: Schema.String })
])
export type OutsideMessage = typeof OutsideMessage.Type

/** The answer to a `Call`. */
export interface OutsideAnswer {
  readonly call: number
  readonly value: unknown
}
