import * as Schema from "effect/Schema"
import { type FactFields, type FactRecord, Uncertain, type UncertainRecord } from "../plugin/Fact.ts"
import { type Answer, type Exchange, FAULT_KINDS } from "../evidence/Exchange.ts"
import { type DerivationName, derivationNames } from "../site/Site.ts"
import type { Base } from "../site/base/Derivation.ts"

export interface ExternalTask {
  readonly module: string
  readonly exported: string | null
  readonly params: unknown
  /** `null`: only describe the plugin. */
  readonly site: {
    readonly base: Base
    readonly date: string
    readonly derivations: ReadonlyArray<DerivationName>
  } | null
}

/** Members of `Site` that take an argument. */
const METHODS = ["get", "getAll", "read", "select", "specPlaces"] as const

/** What a plugin may call: derivations and methods of `Site`. */
export type SiteCall = DerivationName | (typeof METHODS)[number]

/** Far more than a plugin needs that reads what the audit fetches anyway. */
const MOST_REQUESTS = 20
const MOST_MEGABYTES = 10

const whole = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))

const PluginBudget = Schema.Struct({
  requests: whole(MOST_REQUESTS),
  megabytes: whole(MOST_MEGABYTES)
})

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

/** An `Answer` that the thread sends back to be parsed. */
export const isAnswerMessage: (value: unknown) => value is Answer = Schema.is(AnswerMessage)

/** A complete exchange: code that reads cited exchanges expects all fields, so an incomplete one would fail the audit later. */
const ExchangeMessage: Schema.Codec<Exchange> = Schema.Union([
  AnswerMessage,
  Schema.TaggedStruct("Fault", { ...exchangeFields, kind: Schema.Literals(FAULT_KINDS), message: Schema.String })
])

const FindingMessage = Schema.Struct({ good: Schema.Boolean, message: Schema.String, proof: ExchangeMessage })

/** The thread's messages; they are decoded before use. */
export const ExternalMessage = Schema.Union([
  /** The first message: the module is loaded. */
  Schema.TaggedStruct("Loaded", {}),
  Schema.TaggedStruct("Described", {
    id: Schema.String,
    /** As declared; the rubric is held to it when it loads. */
    revision: Schema.Union([Schema.Finite, Schema.String]),
    facts: Schema.Record(Schema.String, FactKind),
    budget: PluginBudget,
    /** What is wrong with the params, each with the keys that lead to it; empty if they are valid. */
    paramsFaults: Schema.Array(
      Schema.Struct({ path: Schema.Array(Schema.Union([Schema.String, Schema.Int])), message: Schema.String })
    )
  }),
  Schema.TaggedStruct("Call", {
    call: Schema.Int,
    name: Schema.Literals([...derivationNames, ...METHODS]),
    argument: Schema.Unknown
  }),
  Schema.TaggedStruct("Measured", {
    facts: Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.Boolean, Schema.String])),
    uncertain: Schema.Record(Schema.String, Uncertain),
    unanswered: Schema.Array(ExchangeMessage),
    filesCut: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
    findings: Schema.NonEmptyArray(FindingMessage)
  }),
  Schema.TaggedStruct("Unobtainable", { message: Schema.String, exchange: ExchangeMessage }),
  Schema.TaggedStruct("Failed", { message: Schema.String })
])
export type ExternalMessage = typeof ExternalMessage.Type

/** The reply to a `Call`. */
export interface ExternalAnswer {
  readonly call: number
  readonly value: unknown
}

/** What is wrong with facts as a plugin's code may give them, against what it declares; `null`: nothing. */
export const factsFault = (fields: FactFields, facts: FactRecord): string | null => {
  const unknown = Object.keys(facts).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) return `it returned the undeclared fact "${unknown}"`
  const wrong = Object.entries(fields).find(([name, fact]) => !fits(fact, facts[name]))
  return wrong === undefined ? null : `its fact "${wrong[0]}" is no ${wrong[1].kind}`
}

/** What is wrong with what a plugin says that facts may be; `null`: every value is one that the fact may have. */
export const uncertainFault = (fields: FactFields, uncertain: UncertainRecord): string | null => {
  const wrong = Object.entries(uncertain).find(([name, values]) => {
    const fact = fields[name]
    if (fact === undefined) return true
    return !("one_of" in values ? values.one_of : [values.at_least, values.at_most ?? values.at_least]).every((value) =>
      fits(fact, value)
    )
  })
  return wrong === undefined ? null : `the uncertain values of its fact "${wrong[0]}" are invalid`
}

const fits = (fact: FactFields[string], value: FactRecord[string] | undefined): boolean => {
  if (fact.kind === "flag") return typeof value === "boolean"
  if (fact.kind === "word") return typeof value === "string" && fact.words.includes(value)
  if (typeof value !== "number") return false
  return fact.kind === "count" ? Number.isSafeInteger(value) && value >= 0 : value >= 0 && value <= 1
}

/** What is wrong with a plugin that gives no finding. */
export const NO_FINDING = "it gives no finding, so its report would have no summary"
