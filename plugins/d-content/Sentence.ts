import type { Meaning, Reader } from "../../engine/text/languages/Vocabulary.ts"

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

/** Finds a phrase in a heading or title. */
export type Phrase = Pick<RegExp, "exec">

/**
 * Letters of Latin, Greek, Cyrillic and their like; V8 takes 3 ms to compile those of all scripts in both cases, for each phrase.
 * A letter of a script without spaces ends a word: `APIキー`.
 */
const LETTERS = "a-z\\xC0-\\u10FF\\u1200-\\u1FFF"

/**
 * Matches whole words in headings and titles, but not parts of an identifier, a URL or a hyphenated name
 * (`Octokit::Authentication`, `stream_events`, `httpx-retries`). Alternatives are sources of regular expressions; any letter is
 * `[\p{L}]` in them.
 */
export const phrase = (...alternatives: ReadonlyArray<string>): Phrase => {
  const among = alternatives.join("|").replaceAll("\\p{L}", LETTERS)
  const word = `${LETTERS}\\d`
  return new RegExp(`(?<![${word}_$@#:./-])(?:${among})(?![${word}_(]|[-.:/][${word}]|::)`, "i")
}
