/** How many insertions, deletions, replacements and swaps of neighbours make one text of another: optimal string alignment. */
export const lettersApart = (one: string, other: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.POSITIVE_INFINITY

/** The words of a text, which single spaces separate. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "))
