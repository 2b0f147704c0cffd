import { isObject, type Json, listAt, objectAt, stringAt } from "../text/Json.ts"
import type { HttpOperation } from "../quality/SpecOperations.ts"
import type { ContractSample } from "../Contract.ts"

/** Samples of one description that are read, and characters of one; longer ones are programs, not calls. */
const SAMPLES_KEPT = 500
const CHARACTERS = 4_000

const LISTS = ["x-codeSamples", "x-code-samples", "x-codesamples"]

/** The calls in code that operations show: `x-codeSamples` and the like of Redocly, ReadMe and Mintlify. */
export const codeSamplesOf = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<ContractSample> => {
  const samples: Array<ContractSample> = []
  for (const [index, { located }] of operations.entries()) {
    for (const sample of listsOf(located.value)) {
      if (samples.length >= SAMPLES_KEPT) return samples
      const text = stringAt(sample, "source") || stringAt(sample, "code")
      const language = stringAt(sample, "lang") || stringAt(sample, "language") || stringAt(sample, "label")
      if (text !== "" && text.length <= CHARACTERS)
        samples.push({ operation: index, language: language.slice(0, LANGUAGE), text })
    }
  }
  return samples
}

const LANGUAGE = 40

const listsOf = (operation: Json): ReadonlyArray<Json> =>
  [
    ...LISTS.flatMap((name) => listAt(operation, name)),
    ...listAt(objectAt(operation, "x-readme"), "code-samples")
  ].filter(isObject)
