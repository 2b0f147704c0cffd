import type { Draft } from "./Draft.ts"
import type { Finding } from "./SourceText.ts"

/**
 * Each text says something of its own: what is written twice was copied and forgotten, or belongs in one place. For
 * `rubric check`; an audit does not mind.
 */
export const textFindings = (draft: Draft): ReadonlyArray<Finding> => {
  const first = new Map<string, string>()
  return draft.criteria.flatMap(({ id, texts }) =>
    texts.flatMap(({ span, value }): ReadonlyArray<Finding> => {
      const said = folded(value)
      const owner = first.get(said)
      if (said === "") return []
      if (owner === undefined) {
        first.set(said, id?.value ?? "another criterion")
        return []
      }
      return [{ rule: "repeated_text", span, message: `${owner === id?.value ? "the criterion" : owner} says the same in the same words`, hint: "say what is special here, or leave it out" }]
    })
  )
}

const folded = (text: string): string => text.replace(/\s+/gu, " ").trim().toLowerCase()
