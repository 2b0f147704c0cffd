/** The one of `names` that a misspelt `name` most likely means; `null` if none is near. Ties go to the first. */
export const nearestName = (name: string, names: ReadonlyArray<string>): string | null => {
  const folded = fold(name)
  const allowed = Math.max(1, Math.floor(name.length / 3))
  let best: string | null = null
  let least = allowed + 1
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > allowed) continue
    const edits = distance(folded, fold(candidate))
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

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
const distance = (a: string, b: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.POSITIVE_INFINITY
