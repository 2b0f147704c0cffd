import * as Effect from "effect/Effect"
import { readRubricText } from "./RubricSource.ts"
import type { RubricInvalid } from "./source/Problem.ts"
import { itemsUnder, readYamlSource } from "./source/YamlSource.ts"

/** The ids of the criteria that a file names itself; `null` where it is a whole rubric, or extends one and names none. */
export const ownCriteria = (
  bytes: Uint8Array,
  file: string
): Effect.Effect<ReadonlySet<string> | null, RubricInvalid> =>
  Effect.map(readRubricText(bytes, file), (source) => {
    const { root } = readYamlSource(source)
    if (root === null || !root.entries.has("extends")) return null
    const named = ["criteria", "experimental"]
      .flatMap((key) => itemsUnder(root, key))
      .flatMap((item) => {
        const id = item.entries.get("id")?.node.plain
        return typeof id === "string" ? [id] : []
      })
    return named.length === 0 ? null : new Set(named)
  })
