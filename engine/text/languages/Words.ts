/** Letters of scripts that are written without spaces, and Hangul, whose words are as short. */
const WIDE =
  "\\u1100-\\u11FF\\u2E80-\\u2FDF\\u3005-\\u3007\\u3041-\\u30FF\\u3130-\\u318F\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3\\uF900-\\uFAFF"
const HAS_WIDE = new RegExp(`[${WIDE}]`)
const EACH_WIDE = new RegExp(`[${WIDE}]+`, "g")

/** Ideographs; hiragana; katakana; Hangul; letters and digits of other scripts. */
const RUNS =
  /([\u3005-\u3007\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]+)|([\u3041-\u309F]+)|[\u30A1-\u30FA\u30FC-\u30FF]+|[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7A3]+|[\dA-Za-z\xC0-\u10FF\u1200-\u1FFF]+/g

/** Most words in Chinese and Japanese are written with two ideographs. */
const WORD_IDEOGRAPHS = 2

/** Shorter runs of hiragana are endings and particles. */
const WORD_HIRAGANA = 4

export const hasWideLetters = (text: string): boolean => HAS_WIDE.test(text)

/**
 * The words of a text in any script. Where there are no spaces, two ideographs are a word, and so is a run of katakana, of
 * Hangul, or of hiragana that is longer than an ending.
 */
export const wordsIn = (text: string): ReadonlyArray<string> => {
  if (!hasWideLetters(text)) return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
  return [...text.matchAll(RUNS)].flatMap(([run, ideographs, hiragana]) => {
    if (ideographs !== undefined) return pairsOf(ideographs)
    return hiragana !== undefined && hiragana.length < WORD_HIRAGANA ? [] : [run]
  })
}

/** An ideograph that is left over belongs to the word before it. */
const pairsOf = (ideographs: string): ReadonlyArray<string> =>
  Array.from({ length: Math.floor(ideographs.length / WORD_IDEOGRAPHS) }, (_, index) =>
    ideographs.slice(index * WORD_IDEOGRAPHS, (index + 1) * WORD_IDEOGRAPHS)
  )

/**
 * A text's length in Latin letters, for thresholds that ask how much it says: a wide letter counts as two (as it is wide in
 * UAX #11), since a Chinese, Japanese or Korean text says the same in half of the letters.
 */
export const readingLength = (text: string): number => {
  if (!hasWideLetters(text)) return text.length
  let wide = 0
  for (const [run] of text.matchAll(EACH_WIDE)) wide += run.length
  return text.length + wide
}
