import { wordSet } from "../LettersApart.ts"

/** Languages besides English in which category D knows words. */
export const LANGUAGES = ["de", "es", "fr", "ja", "ko", "pt", "ru", "zh"] as const
export type Language = (typeof LANGUAGES)[number]

const NOT_ASCII = /[^\0-\x7F]/
const ACCENTED = /[\u00C0-\u024F]/g

/**
 * A text as words are looked for in it: lower case, without the accents of Latin letters (URLs leave them out), `ё` as `е`,
 * full-width letters and digits as usual ones.
 */
export const folded = (text: string): string => {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ё", "е")
    .replaceAll("’", "'")
    .replace(ACCENTED, (letter) => letter.normalize("NFD").charAt(0))
}

/** A text, and the language that it is said to be in, as `lang` has it; empty where nothing is said. */
export interface WrittenText {
  readonly text: string
  readonly lang: string
}

/** As many characters of a text tell its language, of lines spread over the whole of it. */
const CHARACTERS = 20_000
const LONGEST = 1_000_000

/** Lists of files, names and dates have fewer words in a line, and say nothing of the language. */
const PROSE_WORDS = 6

/** What of a line is looked at to tell whether it is prose, in characters. */
const LINE_START = 200

/** What a language needs to be found in a text: letters of its script, or little words of its own. */
interface Evidence {
  readonly letters: number
  /** Of all letters in the text. */
  readonly letterShare: number
  readonly words: number
  readonly littleWords: number
  /** Of all words in the text. */
  readonly littleShare: number
}

/** Fewer letters of a script are a name, an example or the label of a language menu. */
const UNSAID: Evidence = { letters: 25, letterShare: 0.02, words: 12, littleWords: 4, littleShare: 0.06 }

/** A text that says which language it is in need not be long. */
const SAID: Evidence = { letters: 4, letterShare: 0, words: 1, littleWords: 1, littleShare: 0.02 }

/** Little words that the other languages do not have. */
const ENGLISH = wordSet("the of and is are for with that this you your be it by from will can when if which not")

/** Little words that English does not have. Spanish and Portuguese share some: a short text may count as both. */
const LITTLE: ReadonlyArray<readonly [Language, ReadonlySet<string>]> = [
  [
    "de",
    wordSet(
      "und der das ist nicht mit fur ein eine einen einer eines wird werden sie auf im zu von den dem oder als auch bei nach uber wie sind kann konnen ihre wenn alle"
    )
  ],
  [
    "es",
    wordSet(
      "el los las una con del por y es se su al para como esta este mas son puede debe cada si lo sin sobre entre cuando"
    )
  ],
  [
    "fr",
    wordSet(
      "le les des une est dans pour vous avec sur du et par qui que au aux ce cette votre vos sont pas ou peut doit ces leur nous"
    )
  ],
  [
    "pt",
    wordSet("os uma com da dos das nao em na por para e um ao pela pelo sao seu sua voce deve pode quando cada mais ou")
  ]
]

const RUSSIAN = /[\u0400-\u04FF]+/g
const KANA = /[\u3041-\u30FA\u30FC]+/g
const HANGUL = /[\uAC00-\uD7A3]+/g
const IDEOGRAPHS = /[\u4E00-\u9FFF]+/g
const LETTERS = /\p{L}+/gu

const lettersOf = (text: string, script: RegExp): number =>
  (text.match(script) ?? []).reduce((sum, run) => sum + run.length, 0)

/**
 * The languages besides English that a text is written in, by its letters and its little words. One that it is said to be in
 * needs less of either, but more little words than English has: what is said may be wrong.
 */
export const languagesIn = ({ lang, text }: WrittenText): ReadonlyArray<Language> => {
  const lines = text.slice(0, LONGEST).split("\n")
  const said = LANGUAGES.find((language) => language === lang.toLowerCase().split(/[-_]/, 1)[0])
  const evidenceFor = (language: Language): Evidence => (language === said ? SAID : UNSAID)
  return [...byScript(spread(lines).join("\n"), evidenceFor), ...byLittleWords(lines, evidenceFor)]
}

/** Lines at even distances, if they are more than what tells a language. */
const spread = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const characters = lines.reduce((sum, line) => sum + line.length, 0)
  const step = Math.ceil(characters / CHARACTERS)
  const some = step <= 1 ? lines : lines.filter((_, index) => index % step === 0)
  return some.map((line) => line.slice(0, CHARACTERS))
}

const byScript = (text: string, evidenceFor: (language: Language) => Evidence): ReadonlyArray<Language> => {
  if (!NOT_ASCII.test(text)) return []
  const all = lettersOf(text, LETTERS)
  const has = (language: Language, letters: number): boolean => {
    const { letterShare, letters: enough } = evidenceFor(language)
    return letters >= enough && letters >= all * letterShare
  }
  const kana = lettersOf(text, KANA)
  const ideographs = lettersOf(text, IDEOGRAPHS)
  const isJapanese = has("ja", kana)
  return [
    ...(has("ru", lettersOf(text, RUSSIAN)) ? ["ru" as const] : []),
    ...(has("ko", lettersOf(text, HANGUL)) ? ["ko" as const] : []),
    ...(isJapanese ? ["ja" as const] : has("zh", ideographs) ? ["zh" as const] : [])
  ]
}

const wordsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => folded(lines.join("\n")).match(/[a-z]+/g) ?? []

/** By lines of prose; by all lines where these are too few to tell. */
const byLittleWords = (
  lines: ReadonlyArray<string>,
  evidenceFor: (language: Language) => Evidence
): ReadonlyArray<Language> => {
  const prose = wordsOf(spread(lines.filter((line) => wordsOf([line.slice(0, LINE_START)]).length >= PROSE_WORDS)))
  const words = prose.length >= UNSAID.words ? prose : wordsOf(spread(lines))
  const timesOf = (little: ReadonlySet<string>): number =>
    words.reduce((sum, word) => sum + (little.has(word) ? 1 : 0), 0)
  const english = timesOf(ENGLISH)
  return LITTLE.flatMap(([language, little]) => {
    const { littleShare, littleWords, words: enough } = evidenceFor(language)
    const times = timesOf(little)
    const isFound = words.length >= enough && times >= littleWords && times >= words.length * littleShare
    return isFound && (evidenceFor(language) === UNSAID || times > english) ? [language] : []
  })
}

/**
 * What category D and the search for topic pages know of other languages than English: by meaning, then by language. Reviewed
 * by meaning: a line says the same in each of its languages.
 *
 * Each entry is the source of a regular expression over folded text (`folded`: lower case, Latin letters without accents, `е` for
 * `ё`). `~` matches any further letters of the word, a space also matches a hyphen, and an entry matches whole words, save in
 * Chinese, Japanese and Korean, which are searched as they are.
 */
export type Words = Readonly<Partial<Record<Language, ReadonlyArray<string>>>>

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
