import { LANGUAGE_SIGNS, type LanguageSigns } from "./LanguageSigns.ts"

/** A program shows what it is written in at its beginning. */
const CHARACTERS = 3_000

/** Data and markup. */
const NO_PROGRAM = /^\s*(?:[[{<(]|---)/

/** What a program printed, a session in a shell, a difference between files, a drawing, and Markdown: they may hold code, and are none. */
const AROUND_PROGRAMS =
  /^Traceback \(most recent call last\)|^[ \t]{1,40}at [\w$.<> ]{1,200}\(|^(?:[+-]{3} [ab]\/|@@ -)|[│├└┌]|^[ \t]{0,8}[$❯➜%] \S|^[ \t]{0,8}```/m

const WEIGHT = { strong: 2, weak: 1 } as const

/** One strong sign and another of any strength, or three weak ones. */
const ENOUGH = 3

/** How much further the next language must be behind. */
const AHEAD = 2

/**
 * The language that code without a language is unmistakably written in: it has several independent signs of it, and hardly any of
 * another. `null` for everything else.
 */
export const recognisedLanguage = (text: string): string | null => {
  const start = text.slice(0, CHARACTERS)
  if (NO_PROGRAM.test(start) || AROUND_PROGRAMS.test(start)) return null
  const [first, second] = [...LANGUAGE_SIGNS]
    .map(([language, signs]) => ({ language, weight: weightOf(start, signs) }))
    .sort((one, other) => other.weight - one.weight)
  return first !== undefined && first.weight >= ENOUGH && first.weight - (second?.weight ?? 0) >= AHEAD
    ? first.language
    : null
}

const weightOf = (text: string, { others, signs }: LanguageSigns): number => {
  const weight = signs.reduce((sum, { pattern, strength }) => sum + (pattern.test(text) ? WEIGHT[strength] : 0), 0)
  return weight >= ENOUGH && others.test(text) ? 0 : weight
}
