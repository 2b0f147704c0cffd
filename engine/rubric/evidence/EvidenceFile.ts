import type * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { readCheckedFile, repeatedIds } from "../CheckedFile.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import { itemsUnder, type YamlNode } from "../source/YamlSource.ts"
import { EvidenceBook } from "./Evidence.ts"

const decode = SchemaParser.decodeUnknownResult(EvidenceBook, { errors: "all", onExcessProperty: "error" })

/** Reads `evidence.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place. */
export const loadEvidence = (bytes: Uint8Array, file: string): Effect.Effect<EvidenceBook, RubricInvalid> =>
  readCheckedFile(bytes, file, {
    decode,
    whole: "a file of evidence",
    problems: (root) => {
      const studies = itemsUnder(root, "studies")
      return [...repeatedIds(studies, "study"), ...studies.flatMap(unpublished)]
    }
  })

/** A finding without a place where it can be read, though one was found. */
const unpublished = (study: YamlNode): ReadonlyArray<Diagnostic> => {
  const grade = study.entries.get("grade")?.node
  if (study.entries.has("url") || grade === undefined || grade.plain === "none") return []
  return [{ rule: "value", span: grade.span, message: "only a finding of grade none has no url", hint: null }]
}
