/** What finds a wording in a heading or title. */
export type Phrase = Pick<RegExp, "exec">

/**
 * A pattern of whole words for headings and titles. What is part of an identifier, an address or a hyphenated name
 * (`Octokit::Authentication`, `stream_events`, `httpx-retries`) does not match. Alternatives are sources of regular
 * expressions; any letter is `[\p{L}]` in them.
 */
export const phrase = (...alternatives: ReadonlyArray<string>): Phrase => {
  const among = alternatives.join("|")
  // It finds whatever the full one finds, and in ASCII nothing else.
  const plain = wholeWords(among.replaceAll("\\p{L}", "a-z\\x80-\\uFFFF"), "a-z\\d", "i")
  let full: RegExp | null = null
  return {
    exec: (text) => {
      const found = plain.exec(text)
      if (found === null || ASCII.test(text)) return found
      full ??= wholeWords(among, "\\p{L}\\p{N}", "iu")
      return full.exec(text)
    }
  }
}

/** V8 takes 3 ms to compile the letters of all scripts in both cases, for each phrase: few headings need it. */
const ASCII = /^[\0-\x7F]*$/

const wholeWords = (among: string, word: string, flags: string): RegExp =>
  new RegExp(`(?<![${word}_$@#:./-])(?:${among})(?![${word}_(]|[-.:/][${word}]|::)`, flags)
