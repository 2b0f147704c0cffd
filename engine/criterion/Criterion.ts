import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Exchange } from "../evidence/Exchange.ts"
import type { Site } from "../site/Site.ts"
import type { FactFields, FactValues } from "./Fact.ts"

/** Something seen, good or bad, and the exchange that proves it. */
export interface Finding {
  readonly good: boolean
  /** One plain sentence: what was seen and where, with numbers. Plain text; may quote at most a few words of the site. */
  readonly message: string
  readonly proof: Exchange
}

/** What a plugin makes of a site. The first finding sums the measurement up; its message is the report's summary. */
export interface Measurement<Facts> {
  readonly facts: Facts
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
}

/**
 * The evidence that a criterion stands on could not be had: time-outs, challenges, 5xx. The engine turns it into
 * `inconclusive`. A site's own 404 is evidence and never this.
 */
export class Unobtainable extends Schema.TaggedError<Unobtainable>()("Unobtainable", {
  /** What could not be had, in one plain sentence. */
  message: Schema.String,
  /** The exchange that failed. */
  exchange: Schema.declare((value): value is Exchange => Predicate.hasProperty(value, "asked")),
  /** The plugin itself failed: a fault of its author, not of the site. */
  fault: Schema.optionalKey(Schema.Literal("plugin"))
}) {}

/**
 * A criterion's plugin: measures, and knows nothing of points, levels, texts or remedies (those are the rubric's).
 * `measure` has no clock, no randomness, no file system and no HTTP client: the site is all there is.
 */
export interface Criterion<Fields extends FactFields = FactFields, Params extends Schema.Struct.Fields = Schema.Struct.Fields> {
  /** The file's name, such as `a1-llms-txt`; the rubric names the plugin by it. */
  readonly id: string
  /** Raised whenever the same evidence could give other facts. */
  readonly revision: number
  /** Numbers that it needs while it collects; their values are the rubric's. */
  readonly params: Schema.Struct<Params>
  /** What it measures: flat, named, typed; the rubric's conditions are checked against it. */
  readonly facts: Fields
  /** Called with parameters that fit `params`: the rubric's loader sees to it. A method, so that all plugins fit one list. */
  measure(site: Site, params: Schema.Struct.Type<Params>): Effect.Effect<Measurement<FactValues<Fields>>, Unobtainable>
}

/** Declares a plugin: only types are added. */
export const define = <const Fields extends FactFields, const Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>
): Criterion<Fields, Params> => criterion
