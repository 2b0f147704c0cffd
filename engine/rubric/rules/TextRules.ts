import type { Draft } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import { isPlaceholder } from "./PlaceholderTexts.ts"

/** Rules for texts, for `rubric check`: an audit does not mind what they say. */
export const textDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => [
  ...repeatedTexts(draft),
  ...placeholders(draft)
]

/** Reserved for examples (RFC 2606): there is nothing to read. */
const RESERVED = /^https?:\/\/(?:[^/]*\.)?example(?:\.(?:com|net|org))?(?:[/:?#]|$)/i

const placeholders = ({ criteria }: Draft): ReadonlyArray<Diagnostic> =>
  criteria
    .flatMap(({ references, texts }) => [
      ...texts.filter(({ value }) => isPlaceholder(value)),
      ...references.filter(({ value }) => RESERVED.test(value))
    ])
    .map(({ span }) => ({
      rule: "placeholder_text",
      span,
      message: "this text is still a placeholder",
      hint: "say what holds for this criterion"
    }))

/**
 * Each text says something of its own: what is written twice was copied and forgotten, or belongs in one place.
 */
const repeatedTexts = (draft: Draft): ReadonlyArray<Diagnostic> => {
  const first = new Map<string, string>()
  return draft.criteria.flatMap(({ id, texts }) =>
    texts.flatMap(({ span, value }): ReadonlyArray<Diagnostic> => {
      const said = folded(value)
      const owner = first.get(said)
      if (said === "") return []
      if (owner === undefined) {
        first.set(said, id?.value ?? "another criterion")
        return []
      }
      return [
        {
          rule: "repeated_text",
          span,
          message: `${owner === id?.value ? "the criterion" : owner} says the same in the same words`,
          hint: "say what is special here, or leave it out"
        }
      ]
    })
  )
}

const folded = (text: string): string => text.replace(/\s+/gu, " ").trim().toLowerCase()
