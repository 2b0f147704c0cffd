import { lettersApart } from "../../text/LettersApart.ts"

/** The one of `names` that a misspelt `name` most likely means; `null` if none is near. Ties go to the first. */
export const nearestName = (name: string, names: ReadonlyArray<string>): string | null => {
  const folded = fold(name)
  const allowed = Math.max(1, Math.floor(name.length / 3))
  let best: string | null = null
  let least = allowed + 1
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > allowed) continue
    const edits = lettersApart(folded, fold(candidate))
    if (edits < least) {
      best = candidate
      least = edits
    }
  }
  return best
}

/** A hint for a name that is none of `names`: the nearest, or, where none is near, all of them behind `otherwise`. */
export const suggestion = (name: string, names: ReadonlyArray<string>, otherwise: string): string | null => {
  const near = nearestName(name, names)
  if (near !== null) return `did you mean "${near}"?`
  return names.length === 0 ? null : `${otherwise} ${names.join(", ")}`
}

/** Names longer than this are compared by their beginnings: a misspelling shows there, and the time stays bounded. */
const COMPARED = 64

const fold = (name: string): string => name.slice(0, COMPARED).toLowerCase().replaceAll("-", "_")
