import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { type Measurement, Unobtainable } from "../criterion/Criterion.ts"
import type { FactFields, FactRecord } from "../criterion/Fact.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { KnownPlugin } from "../rubric/PluginRules.ts"
import type { Site } from "../site/Site.ts"
import type { OutsideLimits } from "./OutsideLimits.ts"
import { isAnswerMessage, type OutsideTask, type SITE_CALLS } from "./OutsideMessage.ts"
import type { OutsideReference } from "./OutsideReference.ts"
import { OutsideFault, runOutside } from "./OutsideThread.ts"

const answersNothing = () => Effect.interrupt

/** Loads the module in a thread of its own, once, to learn what the plugin measures and whether it takes these params. */
export const describeOutside = Effect.fn("OutsidePlugin.describe")(function*(
  reference: OutsideReference,
  params: unknown,
  limits: OutsideLimits
): Effect.fn.Return<KnownPlugin<BoundCriterion>, OutsideFault> {
  const { exported, module } = reference
  const described = yield* runOutside({ module: module.href, exported, params, site: null }, limits, answersNothing)
  if (described._tag !== "Described") {
    return yield* new OutsideFault({ message: described._tag === "Failed" ? described.message : "it does not describe itself" })
  }
  const { facts, paramsFault, revision } = described
  const Params = paramsFault === null ? Schema.Unknown : Schema.Unknown.check(Schema.makeFilter(() => paramsFault))
  const decode = SchemaParser.decodeUnknownResult(Params)
  return {
    revision,
    facts,
    outside: true,
    bind: (given) => Result.map(decode(given), (): BoundCriterion => ({ measure: (site) => measureOutside(reference, limits, facts, given, site) }))
  }
})

/** Lets the plugin measure in a thread of its own; whatever goes wrong there makes the criterion inconclusive. */
const measureOutside = Effect.fnUntraced(function*(
  { exported, module, name }: OutsideReference,
  limits: OutsideLimits,
  fields: FactFields,
  params: unknown,
  site: Site
): Effect.fn.Return<Measurement<FactRecord>, Unobtainable> {
  const { base, date } = site
  const failed = (message: string) => new Unobtainable({ message: `The plugin ${name} failed: ${message}.`, exchange: base.exchange, fault: "plugin" })
  const task: OutsideTask = { module: module.href, exported, params, site: { base, date } }
  const last = yield* Effect.mapError(runOutside(task, limits, (call) => answerCall(site, call.name, call.argument)), ({ message }) => failed(message))
  if (last._tag === "Unobtainable") return yield* new Unobtainable({ message: last.message, exchange: last.exchange })
  if (last._tag !== "Measured") return yield* failed(last._tag === "Failed" ? last.message : "it measured nothing")
  const wrong = factsFault(fields, last.facts)
  return wrong === null ? { facts: last.facts, findings: last.findings } : yield* failed(wrong)
})

const answerCall = (site: Site, name: (typeof SITE_CALLS)[number], argument: unknown): Effect.Effect<unknown> => {
  if (name === "get") return readAsk(argument, site.get)
  if (name === "getAll") return Array.isArray(argument) ? Effect.forEach(argument, (ask: unknown) => readAsk(ask, site.get), { concurrency: "unbounded" }) : Effect.succeed([])
  if (name === "read") return isAnswerMessage(argument) ? site.read(argument) : Effect.succeed(null)
  return site[name]
}

const Ask = Schema.Union([
  Schema.String,
  Schema.Struct({
    url: Schema.String,
    method: Schema.optionalKey(Schema.Literals(["GET", "POST"])),
    accept: Schema.optionalKey(Schema.String),
    agent: Schema.optionalKey(Schema.Literals(["docgauge", "browser"])),
    body: Schema.optionalKey(Schema.String),
    limit: Schema.optionalKey(Schema.Literals(["page", "document"]))
  })
])

const decodeAsk = Schema.decodeUnknownOption(Ask)

const readAsk = (ask: unknown, get: Site["get"]): Effect.Effect<unknown> =>
  Option.match(decodeAsk(ask), { onNone: () => get(""), onSome: get })

/** What is wrong with facts that a thread gave back; `null`: they are what the plugin declared. */
const factsFault = (fields: FactFields, facts: FactRecord): string | null => {
  const unknown = Object.keys(facts).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) return `it measured "${unknown}", which it does not declare`
  const wrong = Object.entries(fields).find(([name, fact]) => !fits(fact, facts[name]))
  return wrong === undefined ? null : `its fact "${wrong[0]}" is no ${wrong[1].kind}`
}

const fits = (fact: FactFields[string], value: FactRecord[string] | undefined): boolean => {
  if (fact.kind === "flag") return typeof value === "boolean"
  if (fact.kind === "word") return typeof value === "string" && fact.words.includes(value)
  if (typeof value !== "number") return false
  return fact.kind === "count" ? Number.isSafeInteger(value) && value >= 0 : value >= 0 && value <= 1
}
