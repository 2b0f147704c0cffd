import { expect, it } from "vitest"
import { lettersApart } from "../../engine/text/LettersApart.ts"

it.each([
  ["", "abc", 3],
  ["abc", "abd", 1],
  ["abc", "ac", 1],
  ["ab", "ba", 1],
  ["abcd", "abdc", 1],
  ["abc", "cba", 2]
])("%j and %j are %i insertions, deletions, replacements and swaps apart", (one, other, apart) =>
  expect(lettersApart(one, other)).toBe(apart)
)
