import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { type Measurement, Unobtainable } from "../criterion/Criterion.ts"
import type { FactFields, FactRecord } from "../criterion/Fact.ts"
import { factsFault, uncertainFault } from "../criterion/MeasurementCheck.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { KnownPlugin } from "../rubric/rules/PluginRules.ts"
import { derivationNames } from "../site/Derivations.ts"
import type { Site } from "../site/Site.ts"
import type { OutsideLimits } from "./OutsideLimits.ts"
import { isAnswerMessage, type OutsideTask, type SiteCall } from "./OutsideMessage.ts"
import type { OutsideReference } from "./OutsideReference.ts"
import { OutsideFault, runOutside } from "./OutsideThread.ts"

const answersNothing = () => Effect.interrupt

/** Loads the module once in its own thread, to read the plugin's facts and to check these params. */
export const describeOutside = Effect.fn("OutsidePlugin.describe")(function* (
  reference: OutsideReference,
  params: unknown,
  limits: OutsideLimits
): Effect.fn.Return<KnownPlugin<BoundCriterion>, OutsideFault> {
  const { exported, module } = reference
  const described = yield* runOutside({ module: module.href, exported, params, site: null }, limits, answersNothing)
  if (described._tag !== "Described") {
    return yield* new OutsideFault({
      message: described._tag === "Failed" ? described.message : "it did not return a description"
    })
  }
  const { budget, facts, paramsFaults, revision } = described
  const Params = Schema.Unknown.check(
    Schema.makeFilter(() => paramsFaults.map(({ message, path }) => ({ path, issue: message })))
  )
  const decode = SchemaParser.decodeUnknownResult(Params)
  return {
    revision,
    facts,
    outside: true,
    bind: (given) =>
      Result.map(decode(given), (): BoundCriterion => ({
        budget: { ...budget, extra: true },
        needsServer: false,
        measure: (site) => measureOutside(reference, limits, facts, given, site)
      }))
  }
})

/** Runs the plugin in its own thread; any failure there makes the criterion inconclusive. */
const measureOutside = Effect.fnUntraced(function* (
  { exported, module, name }: OutsideReference,
  limits: OutsideLimits,
  fields: FactFields,
  params: unknown,
  site: Site
): Effect.fn.Return<Measurement<FactRecord>, Unobtainable> {
  const { base, date } = site
  const failed = (message: string) =>
    new Unobtainable({ message: `The plugin ${name} failed: ${message}.`, exchange: base.exchange, fault: "plugin" })
  const task: OutsideTask = {
    module: module.href,
    exported,
    params,
    site: { base, date, derivations: derivationNames }
  }
  const last = yield* Effect.mapError(
    runOutside(task, limits, (call) => answerCall(site, call.name, call.argument)),
    ({ message }) => failed(message)
  )
  if (last._tag === "Unobtainable") return yield* new Unobtainable({ message: last.message, exchange: last.exchange })
  if (last._tag !== "Measured") return yield* failed(last._tag === "Failed" ? last.message : "it returned no facts")
  const { facts, filesCut, findings, unanswered, uncertain } = last
  const wrong = factsFault(fields, facts) ?? uncertainFault(fields, uncertain)
  return wrong === null ? { facts, uncertain, unanswered, filesCut, findings } : yield* failed(wrong)
})

const answerCall = (site: Site, name: SiteCall, argument: unknown): Effect.Effect<unknown> => {
  if (name === "get") return readAsk(argument, site.get)
  if (name === "getAll")
    return Array.isArray(argument)
      ? Effect.forEach(argument, (ask: unknown) => readAsk(ask, site.get), { concurrency: "unbounded" })
      : Effect.succeed([])
  if (name === "read") return isAnswerMessage(argument) ? site.read(argument) : Effect.succeed(null)
  if (name === "select")
    return isSelection(argument) && isAnswerMessage(argument.answer)
      ? site.select(argument.answer, argument.selector)
      : Effect.die(new Error("site.select takes the answer of a page and a selector"))
  if (name === "specPlaces")
    return isPlaceQuery(argument)
      ? site.specPlaces(argument)
      : Effect.die(new Error("site.specPlaces takes { at: a JSON pointer }, and may take only: a list of names"))
  return site[name]
}

const isSelection = Schema.is(Schema.Struct({ answer: Schema.Unknown, selector: Schema.String }))

const isPlaceQuery = Schema.is(
  Schema.Struct({ at: Schema.String, only: Schema.optionalKey(Schema.Array(Schema.String)) })
)

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
