import * as Schema from "effect/Schema"
import type { Exchange } from "../evidence/Exchange.ts"
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

const ExchangeLike = Schema.declare((value): value is Exchange =>
  typeof value === "object" && value !== null && "_tag" in value && (value._tag === "Answer" || value._tag === "Fault") &&
  "url" in value && typeof value.url === "string" && URL.canParse(value.url) && "asked" in value)

const FindingMessage = Schema.Struct({ good: Schema.Boolean, message: Schema.String, proof: ExchangeLike })

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
  Schema.TaggedStruct("Unobtainable", { message: Schema.String, exchange: ExchangeLike }),
  Schema.TaggedStruct("Failed", { message: Schema.String })
])
export type OutsideMessage = typeof OutsideMessage.Type

/** The answer to a `Call`. */
export interface OutsideAnswer {
  readonly call: number
  readonly value: unknown
}
