import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type EvidenceBook, loadEvidence } from "../../engine/rubric/Evidence.ts"
import { OWN_RUBRIC } from "./RubricLoading.ts"

/** The studies that come with docgauge, beside its rubric. A file of our own that cannot be read is a defect. */
export const ownEvidence: Effect.Effect<EvidenceBook> = Effect.suspend(() => {
  const path = join(dirname(OWN_RUBRIC.file), "evidence.yaml")
  return Effect.orDie(
    Effect.flatMap(
      Effect.promise(() => readFile(path)),
      (bytes) => loadEvidence(bytes, path)
    )
  )
})
