import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FoundSpec, Portion, SpecQuality } from "../../engine/apispec/ApiSpec.ts"
import { NO_EXAMPLES } from "../../engine/apispec/examples/SpecExamples.ts"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { count, share } from "../../engine/plugin/Fact.ts"
import { portionShown, specEvidence, specShown } from "../../engine/plugin/SpecEvidence.ts"
import { capitalised, counted, type Forms } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { exampleSentence } from "../../engine/site/drift/Compared.ts"
import { shareOf, weightedMean } from "./Weighing.ts"

const NOTHING = { part: 0, whole: 0 }

const EMPTY: Pick<SpecQuality, "exampleOperations" | "typedFields" | "constrainedFields"> = {
  exampleOperations: NOTHING,
  typedFields: NOTHING,
  constrainedFields: NOTHING
}

/** Findings of one report; the rest are counted. */
const SHOWN = 5

/** Examples that their own schemas refuse, one sentence each, with the place and what the schema wants. */
const falseExamples = ({ exchange, spec }: FoundSpec): ReadonlyArray<Finding> => {
  const { false: all, found } = spec.examples
  const shown = found.slice(0, SHOWN).map(exampleSentence)
  const more = all - shown.length
  const rest =
    more > 0
      ? [`… and ${counted(more, "more value")} that ${more === 1 ? "its schema refuses" : "their schemas refuse"}.`]
      : []
  return [...shown, ...rest].map((message): Finding => ({ good: false, message, proof: exchange }))
}

/** C4: the API description has examples of requests and responses, and limits what values may be. */
export const c4SpecExamples = define({
  id: "c4-spec-examples",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({ examples: Schema.Number, types: Schema.Number, constraints: Schema.Number }),
  facts: {
    operations: count(
      "operations that could have an example: with a request body or success response that has a schema or an example"
    ),
    with_examples: share("of those, with an example of the request body, if any, and of a success response"),
    fields: count("parameters of operations and properties of schemas"),
    typed: share("of those, with a type, a `$ref`, enum, const, anyOf, oneOf or allOf"),
    constrainable: count("string and number parameters and properties"),
    constrained: share("of those, with an enum, format, pattern, bound or default"),
    exemplified: share("weighted mean of with_examples, typed and constrained; an empty group is left out"),
    unexemplified: share("the same mean if no operation had an example"),
    compared: count("examples, defaults and constants that were compared with the schema they are written for"),
    agreeing: count("of those, not refused by it"),
    untrue: count("of those, refused by it")
  },
  measure: Effect.fn("c4-spec-examples")(function* (site, params) {
    const evidence = yield* specEvidence(site)
    const { constrainedFields, exampleOperations, typedFields } =
      evidence._tag === "Spec" ? evidence.found.spec.quality : EMPTY
    const examples = evidence._tag === "Spec" ? evidence.found.spec.examples : NO_EXAMPLES
    const facts = {
      operations: exampleOperations.whole,
      with_examples: shareOf(exampleOperations),
      fields: typedFields.whole,
      typed: shareOf(typedFields),
      constrainable: constrainedFields.whole,
      constrained: shareOf(constrainedFields),
      exemplified: weightedMean([
        { portion: exampleOperations, weight: params.examples },
        { portion: typedFields, weight: params.types },
        { portion: constrainedFields, weight: params.constraints }
      ]),
      unexemplified: weightedMean([
        { portion: { part: 0, whole: exampleOperations.whole }, weight: params.examples },
        { portion: typedFields, weight: params.types },
        { portion: constrainedFields, weight: params.constraints }
      ]),
      compared: examples.compared,
      agreeing: examples.compared - examples.false,
      untrue: examples.false
    }
    if (evidence._tag === "NoSpec") return { facts, findings: [evidence.finding] }
    const { found } = evidence
    if (facts.operations === 0 && facts.fields === 0) {
      const message = `${capitalised(specShown(found))} declares no body, parameter or property.`
      return { facts, findings: [{ good: false, message, proof: found.exchange }] }
    }
    const share = (portion: Portion, what: string, forms: Forms): ReadonlyArray<string> =>
      portion.whole === 0 ? [] : [`${what} on ${portionShown(portion, forms)}`]
    const parts = [
      ...share(exampleOperations, examples.false === 0 ? "complete examples" : "examples", [
        "operation with a body",
        "operations with a body"
      ]),
      ...share(typedFields, "types", ["parameter or property", "parameters and properties"]),
      ...share(constrainedFields, "enums, formats, patterns, bounds or defaults", [
        "string or number",
        "strings and numbers"
      ])
    ]
    return {
      facts,
      findings: [
        {
          good: facts.exemplified >= 0.5,
          message: `${capitalised(specShown(found))} has ${parts.join("; ")}.`,
          proof: found.exchange
        },
        ...falseExamples(found)
      ]
    }
  })
})
