import type * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { readCheckedFile, repeatedIds, unknownCriteria } from "../CheckedFile.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import { itemsUnder } from "../source/YamlSource.ts"
import { NormBook } from "./Norms.ts"

const decode = SchemaParser.decodeUnknownResult(NormBook, { errors: "all", onExcessProperty: "error" })

/**
 * Reads `norms.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place.
 *
 * @param criteria the ids that there are; a norm of any other is a problem.
 */
export const loadNorms = (
  bytes: Uint8Array,
  file: string,
  criteria: ReadonlyArray<string>
): Effect.Effect<NormBook, RubricInvalid> =>
  readCheckedFile(bytes, file, {
    decode,
    whole: "a file of norms",
    problems: (root) => {
      const norms = itemsUnder(root, "norms")
      return [...repeatedIds(norms, "norm"), ...norms.flatMap((norm) => unknownCriteria(norm, criteria))]
    }
  })
