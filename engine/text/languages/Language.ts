import { wordSet } from "../WordSet.ts"

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

/** The beginning of a text tells its language. */
const CHARACTERS = 6_000

/** Fewer letters of a script are a name or the label of a language menu. */
const SCRIPT_LETTERS = 25

/** A language's little words are at least this share of its text; fewer words tell nothing. */
const LITTLE_SHARE = 0.06
const ENOUGH_WORDS = 12

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

const lettersOf = (text: string, script: RegExp): number =>
  (text.match(script) ?? []).reduce((sum, run) => sum + run.length, 0)

/** The languages besides English that a text is written in, by its letters and its little words. */
export const languagesIn = (text: string): ReadonlyArray<Language> => {
  const start = text.slice(0, CHARACTERS)
  const found: Array<Language> = []
  if (NOT_ASCII.test(start)) {
    const kana = lettersOf(start, KANA)
    if (lettersOf(start, RUSSIAN) >= SCRIPT_LETTERS) found.push("ru")
    if (lettersOf(start, HANGUL) >= SCRIPT_LETTERS) found.push("ko")
    if (kana >= SCRIPT_LETTERS) found.push("ja")
    else if (lettersOf(start, IDEOGRAPHS) >= SCRIPT_LETTERS) found.push("zh")
  }
  const words = folded(start).match(/[a-z]+/g) ?? []
  for (const [language, little] of LITTLE) {
    const count = words.reduce((sum, word) => sum + (little.has(word) ? 1 : 0), 0)
    if (words.length >= ENOUGH_WORDS && count >= words.length * LITTLE_SHARE && count >= ENOUGH_WORDS / 3)
      found.push(language)
  }
  return found
}
