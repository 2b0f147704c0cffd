import type { Reader } from "../../../engine/text/languages/Reader.ts"
import type { Meaning } from "../../../engine/text/languages/Vocabulary.ts"

const SENTENCE_END = /(?<=[.!?])\s+|[。！？\n]/u

export const sentencesOf = (text: string): ReadonlyArray<string> => text.split(SENTENCE_END)

const CONDITION = /\b(?:if|in case|unless|when|whenever|where|until)\b/i
/** Maximum number of characters between a condition and the statement. */
const CONDITION_CHARACTERS = 300

/** A status that calls get which are refused: "requests without authentication return 401" means that it is needed. */
const REFUSED = /\b40[13]\b/

/** The sentence states it, in English or in another language, and not on a condition: "if no limits are set" does not. */
export const states = (sentence: string, statement: RegExp, meaning: Meaning, reader: Reader): boolean => {
  const found = statement.exec(sentence)
  if (found !== null)
    return !CONDITION.test(sentence.slice(Math.max(0, found.index - CONDITION_CHARACTERS), found.index))
  return reader.says(meaning, sentence) && !REFUSED.test(sentence) && !reader.says("restriction", sentence)
}
