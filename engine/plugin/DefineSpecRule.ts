import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { FoundSpec } from "../apispec/ApiSpec.ts"
import type { PlaceQuery, SpecPlace } from "../apispec/read/SpecPlaces.ts"
import type { Json } from "../apispec/text/Json.ts"
import { NO_REQUESTS } from "../evidence/AuditBudget.ts"
import { cutShort, isAnswer } from "../evidence/Exchange.ts"
import type { Site } from "../site/Site.ts"
import { plainText } from "../text/PlainText.ts"
import {
  type Criterion,
  define,
  type Finding,
  type Measurement,
  NO_PARAMS,
  type NoParams,
  refuseMistakes,
  trueOrFalse,
  Unobtainable
} from "./Criterion.ts"
import { count, type FactValues, flag, ratio, share } from "./Fact.ts"
import { specEvidence, specShown } from "./SpecEvidence.ts"
import { capitalised, type Forms, pathShown, someOf } from "./Wording.ts"

/** How a rule judges the places of an API description. */
interface DescriptionRule<Params> {
  /** The places that count, as in `PlaceQuery`: `/info`, `/components/schemas/*`, `operations`. */
  readonly at: PlaceQuery["at"] | ((params: Params) => string)
  /** As in `PlaceQuery`: of a large description, name the members that `where` reads. */
  readonly only?: PlaceQuery["only"] | ((params: Params) => ReadonlyArray<string>)
  /** The places that count, of those at `at`; all of them where it is missing. */
  readonly of?: (value: Json, params: Params, place: string) => boolean
  /** Whether the value at a place meets the rule; `place` is its JSON pointer. */
  readonly where: (value: Json, params: Params, place: string) => boolean
  /** What one place does, and what several do, that meet the rule: `["names its owner", "name their owner"]`. */
  readonly says?: Forms
  /** What a place does that does not meet it: `names no owner`. */
  readonly lacks?: string
}

/** A plugin whose facts are a share of the places of the API description. */
interface SpecRuleCode<Params> extends DescriptionRule<Params> {
  readonly id: string
  /** As of any plugin; 1 if it is missing. */
  readonly revision?: Criterion["revision"]
  /** The meaning of the fact `places`. */
  readonly places?: string
  /** The meaning of the fact `matching`, such as `of those, operations that name their owner`. */
  readonly meaning?: string
}

/** The same, with numbers or texts that the rubric gives. */
interface SpecRuleCodeWithParams<Params extends Schema.Struct.Fields> extends SpecRuleCode<Schema.Struct.Type<Params>> {
  readonly params: Schema.Struct<Params>
}

export const specFacts = (places: string, meaning: string) => ({
  found: flag("an API description in JSON or YAML was found, other than a Postman collection"),
  places: count(places),
  matching: share(meaning)
})

type SpecRuleFacts = ReturnType<typeof specFacts>

/**
 * Declares a plugin that measures which share of the places of the site's API description meets a rule. Its facts are `found`, whether
 * there is such a description, `places`, how many places count, and `matching`, the share of those that meet the rule (0 if none
 * counts). A description that could not be fetched or read makes the criterion inconclusive.
 */
export function defineSpecRule<const Params extends Schema.Struct.Fields>(
  code: SpecRuleCodeWithParams<Params>
): Criterion<SpecRuleFacts, Params>
export function defineSpecRule(code: SpecRuleCode<object>): Criterion<SpecRuleFacts, NoParams>
export function defineSpecRule<const Params extends Schema.Struct.Fields>(
  code: SpecRuleCode<object> | SpecRuleCodeWithParams<Params>
): Criterion<SpecRuleFacts, NoParams> | Criterion<SpecRuleFacts, Params> {
  refuseMistakes("defineSpecRule", code, {
    required: ["id", "at", "where"],
    optional: ["only", "of", "says", "lacks", "params", "revision", "places", "meaning"]
  })
  const { id, meaning = "of those, places that meet the rule", revision = 1 } = code
  const { places = "places of the API description that the rule is about" } = code
  const declared = { id, revision, budget: NO_REQUESTS, facts: specFacts(places, meaning) }
  return "params" in code
    ? define({ ...declared, params: code.params, measure: (site, params) => measureSpec(site, params, code) })
    : define({ ...declared, params: NO_PARAMS, measure: (site, params) => measureSpec(site, params, code) })
}

/** Places that a report names, of those that do not meet a rule. */
const MOST_NAMED = 20

export const measureSpec = Effect.fn("SpecRule.measure")(function* <Params>(
  site: Site,
  params: Params,
  rule: DescriptionRule<Params>
): Effect.fn.Return<Measurement<FactValues<SpecRuleFacts>>, Unobtainable> {
  const evidence = yield* specEvidence(site)
  if (evidence._tag === "NoSpec") return none(evidence.finding)
  const { found } = evidence
  const at = typeof rule.at === "function" ? rule.at(params) : rule.at
  const only = typeof rule.only === "function" ? rule.only(params) : rule.only
  const { of = () => true, where } = rule
  const { complete, isDocument, places: all } = yield* site.specPlaces(only === undefined ? { at } : { at, only })
  if (!isDocument) {
    const message = `${capitalised(specShown(found))} is neither JSON nor YAML, so the rule does not judge it.`
    return none({ good: false, message, proof: found.exchange })
  }
  if (!complete) {
    const { exchange } = found
    return yield* new Unobtainable({
      message: `We could not read all of ${specShown(found)}.`,
      exchange: isAnswer(exchange) ? cutShort(exchange) : exchange
    })
  }
  const places = all.filter((place) => trueOrFalse("of", of(place.value, params, place.at)))
  const failing = places.filter((place) => !trueOrFalse("where", where(place.value, params, place.at)))
  return judged(found, at, { places, failing, isNarrowed: places.length < all.length }, rule)
})

const none = (finding: Finding): Measurement<FactValues<SpecRuleFacts>> => ({
  facts: { found: false, places: 0, matching: 0 },
  findings: [finding]
})

/** The places that count, those of them that do not meet the rule, and whether others at `at` do not count. */
interface JudgedPlaces {
  readonly places: ReadonlyArray<SpecPlace>
  readonly failing: ReadonlyArray<SpecPlace>
  readonly isNarrowed: boolean
}

const judged = <Params>(
  found: FoundSpec,
  at: string,
  { failing, isNarrowed, places }: JudgedPlaces,
  { lacks = "does not meet the rule", says = ["meets the rule", "meet the rule"] }: DescriptionRule<Params>
): Measurement<FactValues<SpecRuleFacts>> => {
  const matching = places.length - failing.length
  const [only] = places
  const whole =
    places.length === 0
      ? `${capitalised(specShown(found))} has nothing ${isNarrowed ? "that the rule is about " : ""}at ${placeShown(at)}.`
      : `${only !== undefined && places.length === 1 ? oneShown(only.at, failing.length === 0 ? says[0] : lacks) : someOf(matching, places.length, formsAt(at, isNarrowed), says)} (${pathShown(found.url)}).`
  return {
    facts: { found: true, places: places.length, matching: ratio(matching, places.length) },
    findings: [
      { good: places.length > 0 && failing.length === 0, message: whole, proof: found.exchange },
      ...(places.length === 1 ? [] : failing.slice(0, MOST_NAMED)).map((place): Finding => ({
        good: false,
        message: `${placeShown(place.at)} ${lacks}.`,
        proof: found.exchange
      }))
    ]
  }
}

const oneShown = (at: string, does: string): string => `${placeShown(at)} of the API description ${does}`

const formsAt = (at: string, isNarrowed: boolean): Forms => {
  const which = `of the API description${isNarrowed ? " that the rule is about" : ""}`
  return at === "operations"
    ? [`operation ${which}`, `operations ${which}`]
    : [`place at ${placeShown(at)} ${which}`, `places at ${placeShown(at)} ${which}`]
}

/** Readers know an operation by its method and path, and other places by their JSON pointers. */
const placeShown = (at: string): string => {
  const [, path, method] = /^\/paths\/([^/]+)\/([a-z]+)$/.exec(at) ?? []
  if (path !== undefined && method !== undefined)
    return plainText(`${method.toUpperCase()} ${path.replaceAll("~1", "/").replaceAll("~0", "~")}`, 100)
  return at === "" ? "The document" : plainText(at, 100)
}
