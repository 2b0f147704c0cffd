import type { Finding } from "../../engine/criterion/Criterion.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { exampleSentence } from "../../engine/site/drift/Compared.ts"

/** Findings of one report; the rest are counted. */
const SHOWN = 5

/** Examples that their own schemas refuse, one sentence each, with the place and what the schema wants. */
export const falseExamples = ({ exchange, spec }: FoundSpec): ReadonlyArray<Finding> => {
  const { false: all, found } = spec.examples
  const shown = found.slice(0, SHOWN).map(exampleSentence)
  const more = all - shown.length
  const rest =
    more > 0
      ? [`… and ${counted(more, "more value")} that ${more === 1 ? "its schema refuses" : "their schemas refuse"}.`]
      : []
  return [...shown, ...rest].map((message): Finding => ({ good: false, message, proof: exchange }))
}
