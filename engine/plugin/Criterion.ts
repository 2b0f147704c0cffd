import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Budget } from "../evidence/AuditBudget.ts"
import type { Exchange } from "../evidence/Exchange.ts"
import type { Site } from "../site/Site.ts"
import type { FactFields, FactValues, UncertainFacts } from "./Fact.ts"

/** An observation, good or bad, with the exchange that proves it. */
export interface Finding {
  readonly good: boolean
  /** One plain sentence: what was found and where, with numbers. Plain text; quotes at most a few words of the site. */
  readonly message: string
  readonly proof: Exchange
}

/** The result of a plugin. The message of the first finding is the report's summary. */
export interface Measurement<Facts> {
  /** As the responses show them that arrived. */
  readonly facts: Facts
  /**
   * What those facts may be that missing responses could change. The criterion is judged if it reaches the same level
   * whatever they turn out to be; otherwise it is inconclusive.
   */
  readonly uncertain?: UncertainFacts<Facts>
  /** The missing responses (see `isUnobtainable`) that make facts uncertain, and those that were read in part (see `cutShort`). */
  readonly unanswered?: ReadonlyArray<Exchange>
  /** How many files it read in part, beside those that `Site` reads. */
  readonly filesCut?: number
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
}

/**
 * The evidence for a criterion could not be fetched (timeouts, bot challenges, 5xx). The criterion becomes `inconclusive`.
 * A site's own 404 is evidence, not this error.
 */
export class Unobtainable extends Schema.TaggedError<Unobtainable>()("Unobtainable", {
  /** What could not be fetched, in one plain sentence. */
  message: Schema.String,
  /** The exchange that failed. */
  exchange: Schema.declare((value): value is Exchange => Predicate.hasProperty(value, "asked")),
  /** The plugin itself failed, not the site. */
  fault: Schema.optionalKey(Schema.Literal("plugin"))
}) {}

/**
 * A criterion's plugin: measures, and knows nothing of points, levels, texts or remedies (those are the rubric's).
 * `measure` has no clock, no randomness, no file system and no HTTP client: the site is all there is.
 */
export interface Criterion<
  Fields extends FactFields = FactFields,
  Params extends Schema.Struct.Fields = Schema.Struct.Fields
> {
  /** The file's name, such as `a1-llms-txt`; the rubric names the plugin by it. */
  readonly id: string
  /**
   * Raised to the next whole number whenever the same evidence could give other values of its facts; where it only gets more
   * facts, their part after the dot is raised: `2`, then `"2.1"`.
   */
  readonly revision: number | `${number}.${number}`
  /** What it may fetch for itself; `NO_REQUESTS` where the derivations of the site suffice. */
  readonly budget: Budget
  /** Whether it judges what only a server shows, such as content negotiation: it is not measured where a folder is audited. */
  readonly needsServer?: true
  /** Numbers that it needs while it collects; their values are the rubric's. */
  readonly params: Schema.Struct<Params>
  /** What it measures: flat, named, typed; the rubric's conditions are checked against it. */
  readonly facts: Fields
  /** Called with parameters that fit `params`: the rubric's loader sees to it. A method, so that all plugins fit one list. */
  measure(site: Site, params: Schema.Struct.Type<Params>): Effect.Effect<Measurement<FactValues<Fields>>, Unobtainable>
}

/** The params of a plugin that has none. */
export const NO_PARAMS = Schema.Struct({})
export type NoParams = typeof NO_PARAMS.fields

/** The site as `measure` is given it. */
export interface PluginSite extends Site {
  /**
   * For an `async` measure: runs what the site or a helper offers, as in `await site.run(site.sample)` and
   * `await site.run(sampledPages(site))`. What cannot be fetched is thrown as `Unobtainable`: let it through.
   */
  readonly run: <A>(effect: Effect.Effect<A, Unobtainable>) => Promise<A>
}

/** A plugin as it is written: `measure` may be an `async` or a plain function as well as one of Effect. */
export interface PluginCode<
  Fields extends FactFields = FactFields,
  Params extends Schema.Struct.Fields = Schema.Struct.Fields
> extends Omit<Criterion<Fields, Params>, "measure"> {
  measure(
    site: PluginSite,
    params: Schema.Struct.Type<Params>
  ):
    | Effect.Effect<Measurement<FactValues<Fields>>, Unobtainable>
    | Promise<Measurement<FactValues<Fields>>>
    | Measurement<FactValues<Fields>>
}

/** Declares a plugin, whatever kind of function its `measure` is. */
export const define = <const Fields extends FactFields, const Params extends Schema.Struct.Fields>(
  code: PluginCode<Fields, Params>
): Criterion<Fields, Params> => ({
  ...code,
  measure: (site, params) =>
    Effect.suspend(() => {
      const { run, waited } = runner()
      const measured = code.measure({ ...(code.budget.requests === 0 ? withoutRequests(site) : site), run }, params)
      if (Effect.isEffect(measured)) return Effect.map(measured, shaped)
      return Predicate.isPromise(measured)
        ? Effect.map(awaited(measured, waited), shaped)
        : Effect.succeed(shaped(measured))
    })
})

const shaped = <A>(result: A): A => {
  const fault = shapeFault(result)
  if (fault !== null) throw new Error(fault)
  return result
}

/** Effects as promises, and whether any was asked for. */
const runner = (): { readonly run: PluginSite["run"]; readonly waited: () => boolean } => {
  let used = false
  return {
    run: (effect) => {
      used = true
      return Effect.runPromise(effect)
    },
    waited: () => used
  }
}

/** What an `async` measure comes to; what it throws besides `Unobtainable` is a mistake in it. */
const awaited = <A>(measured: Promise<A>, waited: () => boolean): Effect.Effect<A, Unobtainable> =>
  Effect.flatMap(
    Effect.promise(() => measured.then(Result.succeed, (error: unknown) => Result.fail(thrown(error, waited())))),
    Effect.fromResult
  )

const thrown = (error: unknown, waited: boolean): Unobtainable => {
  if (error instanceof Unobtainable) return error
  if (error instanceof TypeError && !waited) {
    error.message += ". An async measure waits for the site with site.run, as in: await site.run(site.sample)"
  }
  throw error
}

/** The site of a plugin that declares to request nothing: a request is a mistake in the plugin, and no fault of the site. */
const withoutRequests = (site: Site): Site => ({
  ...site,
  get: (ask) => Effect.die(new Error(undeclared(ask))),
  getAll: (asks) => (asks.length === 0 ? Effect.succeed([]) : Effect.die(new Error(undeclared(asks[0]))))
})

const undeclared = (ask: Parameters<Site["get"]>[0] | undefined): string =>
  `it requests ${typeof ask === "string" ? ask : (ask?.url ?? "a URL")}, and its budget has no requests. Declare them: budget: { requests: 1, megabytes: 1 }`

/** What the code of a rule may have, by name; the names are those of its options. */
interface RuleOptions {
  readonly required: ReadonlyArray<string>
  readonly optional: ReadonlyArray<string>
}

/**
 * Refuses code that could not work, where the plugin is loaded and not where a site is audited: authors of plugins in JavaScript have no
 * types. @throws Error that says what to write.
 */
export const refuseMistakes = (declaration: string, code: object, { optional, required }: RuleOptions): void => {
  const known = [...required, ...optional]
  const unknown = Object.keys(code).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`${declaration} has no option "${unknown}"; it has ${known.join(", ")}`)
  const missing = required.find((name) => !(name in code))
  if (missing !== undefined) throw new Error(`${declaration} needs "${missing}"`)
  for (const name of ["where", "of"])
    if (Predicate.hasProperty(code, name) && code[name] !== undefined && typeof code[name] !== "function")
      throw new Error(`"${name}" of ${declaration} must be a function`)
  if (Predicate.hasProperty(code, "says") && code.says !== undefined && !isForms(code.says))
    throw new Error(`"says" of ${declaration} must be two texts: ["names its owner", "name their owner"]`)
}

const isForms = (says: unknown): boolean =>
  Array.isArray(says) && says.length === 2 && says.every((form) => typeof form === "string")

/** What a function of a rule returned. @throws TypeError unless it is true or false: a promise or a text would count as met. */
export const trueOrFalse = (name: string, returned: unknown): boolean => {
  if (typeof returned === "boolean") return returned
  if (Predicate.isPromise(returned))
    throw new TypeError(`"${name}" must not be async: it must return true or false, and returned a promise`)
  throw new TypeError(`"${name}" must return true or false, and returned ${kindOf(returned)}`)
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? String(value) : `a value of type ${typeof value}`

/** Why what a measure returned is no measurement, as code without types may have it; `null`: it has the shape of one. */
const shapeFault = (result: unknown): string | null => {
  if (!Predicate.isObject(result)) return `it returned ${String(result)}, and must return { facts, findings }`
  if (!Predicate.hasProperty(result, "facts") || !Predicate.isObject(result.facts)) return "its result has no facts"
  const waiting = Object.entries(result.facts).find(([, value]) => Predicate.isPromise(value))
  if (waiting !== undefined) return `its fact "${waiting[0]}" is a promise: await it`
  if (!Predicate.hasProperty(result, "findings") || !Array.isArray(result.findings))
    return "its result has no findings: the first is the summary of the report"
  const unproved = result.findings.findIndex(
    (finding) => !Predicate.hasProperty(finding, "proof") || !Predicate.hasProperty(finding.proof, "_tag")
  )
  return unproved === -1
    ? null
    : `finding ${unproved + 1} has no proof: give the answer that shows it, such as page.answer, or site.base.exchange where no page does`
}
