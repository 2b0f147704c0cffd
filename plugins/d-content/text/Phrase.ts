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
