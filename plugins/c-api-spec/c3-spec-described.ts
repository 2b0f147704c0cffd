import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { count, share } from "../../engine/plugin/Fact.ts"
import { capitalised } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { FoundSpec, SpecQuality } from "../../engine/apispec/ApiSpec.ts"
import { operationShown, portionsShown, specEvidence, specShown } from "../../engine/plugin/SpecEvidence.ts"
import { shareOf, weightedMean } from "./Weighing.ts"

const NOTHING = { part: 0, whole: 0 }

/** C3: the API description explains its operations, parameters and properties. */
export const c3SpecDescribed = define({
  id: "c3-spec-described",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    operations: Schema.Number,
    parameters: Schema.Number,
    properties: Schema.Number,
    characters: Schema.Int
  }),
  facts: {
    operations: count("operations"),
    parameters: count("parameters of operations"),
    properties: count("properties of schemas, each schema once"),
    described_operations: share("operations with a summary or description of at least `characters` characters"),
    described_parameters: share(
      "parameters with a description, of their own, of their schema or of what a `$ref` leads to"
    ),
    described_properties: share("properties with a description, of their own or of what a `$ref` leads to"),
    described: share("weighted mean of the three shares; an empty group is left out")
  },
  measure: Effect.fn("c3-spec-described")(function* (site, params) {
    const evidence = yield* specEvidence(site)
    const quality = evidence._tag === "Spec" ? evidence.found.spec.quality : null
    const operations = operationsWith(quality?.operationTexts ?? [], params.characters)
    const { describedParameters: parameters, describedProperties: properties } = quality ?? EMPTY
    const facts = {
      operations: operations.whole,
      parameters: parameters.whole,
      properties: properties.whole,
      described_operations: shareOf(operations),
      described_parameters: shareOf(parameters),
      described_properties: shareOf(properties),
      described: weightedMean([
        { portion: operations, weight: params.operations },
        { portion: parameters, weight: params.parameters },
        { portion: properties, weight: params.properties }
      ])
    }
    if (evidence._tag === "NoSpec") return { facts, findings: [evidence.finding] }
    const { found } = evidence
    const described = portionsShown([
      [operations, ["operation", "operations"]],
      [parameters, ["parameter", "parameters"]],
      [properties, ["schema property", "schema properties"]]
    ])
    const undescribed = undescribedOperations(found, params.characters)
    return {
      facts,
      findings: [
        {
          good: facts.described >= 0.5,
          message: `${capitalised(specShown(found))} describes ${described}.`,
          proof: found.exchange
        },
        ...undescribed.map((name): Finding => ({
          good: false,
          message: `The operation ${name} has no summary or description of ${params.characters} characters or more.`,
          proof: found.exchange
        }))
      ]
    }
  })
})

const EMPTY: Pick<SpecQuality, "describedParameters" | "describedProperties"> = {
  describedParameters: NOTHING,
  describedProperties: NOTHING
}

/** The lengths of texts are in the order of the operations, of which the first 5,000 are listed. */
const undescribedOperations = ({ spec }: FoundSpec, characters: number): ReadonlyArray<string> =>
  spec.quality.operationTexts.length !== spec.operationCount
    ? []
    : spec.operations
        .filter((_, index) => (spec.quality.operationTexts[index] ?? characters) < characters)
        .map(operationShown)

const operationsWith = (texts: ReadonlyArray<number>, characters: number) => ({
  part: texts.filter((length) => length >= characters).length,
  whole: texts.length
})
