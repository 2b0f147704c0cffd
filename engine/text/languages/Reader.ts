import { folded, languagesIn, type Language, LANGUAGES, type WrittenText } from "./Language.ts"
import { type Meaning, wordsFor } from "./Vocabulary.ts"

/** Finds meanings in texts of some languages; English is not among them. */
export interface Reader {
  readonly languages: ReadonlySet<Language>
  readonly says: (meaning: Meaning, text: string) => boolean
  /** The text, folded, without any words that say it. */
  readonly without: (meaning: Meaning, text: string) => string
}

/** Letters of Latin, Greek and Cyrillic, folded. */
const LETTERS = "a-z\\xDF-\\u04FF"

const WITHOUT_SPACES: ReadonlySet<Language> = new Set(["ja", "ko", "zh"])

/** The source of a pattern that finds a meaning in a language; `null` if the table has no words for it. */
export const patternSource = (meaning: Meaning, language: Language): string | null => {
  const words = wordsFor(meaning, language)
  if (words.length === 0) return null
  const among = words.map((word) => word.replaceAll("~", `[${LETTERS}]*`).replaceAll(" ", "[ -]")).join("|")
  // A Korean word has its particles at its end.
  if (WITHOUT_SPACES.has(language)) return language === "ko" ? `(?:${among})[가-힣]{0,6}` : `(?:${among})`
  return `(?<![${LETTERS}\\d_$@#:./])(?:${among})(?![${LETTERS}\\d_(]|[.:/][${LETTERS}\\d])`
}

const NOTHING: Reader = { languages: new Set(), says: () => false, without: (_, text) => text }

/** A reader of the given languages. */
export const readerIn = (...languages: ReadonlyArray<Language>): Reader => {
  const compiled = new Map<Meaning, RegExp | null>()
  /** One pattern for all languages, compiled when it is first asked for. */
  const patternOf = (meaning: Meaning): RegExp | null => {
    const known = compiled.get(meaning)
    if (known !== undefined) return known
    const sources = languages.flatMap((language) => patternSource(meaning, language) ?? [])
    const pattern = sources.length === 0 ? null : new RegExp(sources.join("|"), "g")
    compiled.set(meaning, pattern)
    return pattern
  }
  return {
    languages: new Set(languages),
    says: (meaning, text) => {
      const pattern = patternOf(meaning)
      return pattern !== null && folded(text).search(pattern) >= 0
    },
    without: (meaning, text) => {
      const pattern = patternOf(meaning)
      return pattern === null ? folded(text) : folded(text).replace(pattern, " ")
    }
  }
}

/** A reader of the languages that some of the texts are in. In English it finds nothing, and costs nothing. */
export const readerOf = (texts: Iterable<WrittenText>): Reader => {
  const languages = new Set<Language>()
  for (const text of texts) for (const language of languagesIn(text)) languages.add(language)
  return languages.size === 0 ? NOTHING : readerIn(...LANGUAGES.filter((language) => languages.has(language)))
}

/** A reader that knows English only. */
export const english: Reader = NOTHING
