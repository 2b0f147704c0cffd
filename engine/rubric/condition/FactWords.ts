import type { FactFields } from "../../criterion/Fact.ts"
import { grouped } from "../../criterion/Wording.ts"

/** Facts in sentences: their meanings, cut to the part that names them. */
export interface FactWords {
  /** A count or a share compared with a number: "at least 90% of the pages … have a title". */
  readonly compared: (name: string, operator: Ordering, number: number) => string
  /** What a true flag means. */
  readonly flag: (name: string) => string
  /** What a word describes. */
  readonly subject: (name: string) => string
}

export type Ordering = "<" | "<=" | ">" | ">=" | "==" | "!="

export const factWords = (fields: FactFields): FactWords => ({
  compared: (name, operator, number) => {
    const meaning = head(meaningOf(fields, name))
    const of = part(meaning)
    const whole = of === null ? "" : (of.whole ?? wholeOf(fields, name))
    if (fields[name]?.kind !== "share")
      return `${of === null ? meaning : named(whole, of.rest)}: ${quantity(operator, number)}`
    if (of === null) return `${meaning}: ${bound(operator, percent(number))}`
    return `${portion(operator, number)} of ${withArticle(whole)} ${predicate(of.rest)}`
  },
  flag: (name) => head(meaningOf(fields, name), ";"),
  subject: (name) => head(meaningOf(fields, name))
})

/** Within a sentence, common words at the start of a meaning lose their capital; names keep it. */
const meaningOf = (fields: FactFields, name: string): string =>
  (fields[name]?.meaning ?? name).replace(/^(?:An?|The|Its?|Pages|Of)\b/u, (word) => word.toLowerCase())

/** A meaning without its explanation, which a colon within code does not begin. */
const head = (meaning: string, ...ends: ReadonlyArray<string>): string => {
  const outsideCode = meaning.replace(/`[^`]*`/g, (code) => "_".repeat(code.length))
  const at = (ends.length === 0 ? [";", ": "] : ends)
    .map((end) => outsideCode.indexOf(end))
    .filter((place) => place > 0)
  return meaning.slice(0, Math.min(meaning.length, ...at)).trim()
}

/** "of those, pages with a title" is a share of what an earlier fact counts; "of the checked links, those that …" names its whole. */
const part = (meaning: string): { readonly whole: string | null; readonly rest: string } | null => {
  const [, whole, rest] = /^of ([^,]{1,60}), (.+)$/iu.exec(meaning) ?? []
  if (whole === undefined || rest === undefined) return null
  return { whole: whole === "those" ? null : whole, rest }
}

/** What "those" are: the nearest count before the fact that is not a part of another. */
const wholeOf = (fields: FactFields, name: string): string => {
  const names = Object.keys(fields)
  const before = names
    .slice(0, names.indexOf(name))
    .findLast((each) => fields[each]?.kind === "count" && part(meaningOf(fields, each)) === null)
  return before === undefined ? "them" : head(meaningOf(fields, before))
}

const isAttribute = (rest: string): boolean => /^with\b/u.test(rest)

/** "pages with a title" as "have a title", "those that resolve" as "resolve". */
const predicate = (rest: string): string => {
  const [, attribute] = /^(?:\w+ )?with (.+)$/u.exec(rest) ?? []
  if (attribute !== undefined) return `have ${attribute}`
  const [, verb] = /^\w+ that (?!an? |the )(.+)$/u.exec(rest) ?? []
  return verb ?? `are ${rest}`
}

/** A part of a whole as a noun: "errors" and "with a meaning" make "errors with a meaning". */
const named = (whole: string, rest: string): string => (isAttribute(rest) ? `${whole} ${rest}` : rest)

const withArticle = (noun: string): string => (/^(?:the|all|them|its)\b/u.test(noun) ? noun : `the ${noun}`)

const quantity = (operator: Ordering, count: number): string => {
  if (count === 0 && operator === "==") return "none"
  if (count === 0 && (operator === ">" || operator === "!=")) return "at least 1"
  return bound(operator, grouped(count)).replace("less than", "fewer than")
}

const portion = (operator: Ordering, share: number): string => {
  if (share === 0 && (operator === ">" || operator === "!=")) return "some"
  if (share === 0 && (operator === "==" || operator === "<=")) return "none"
  return share === 1 && (operator === ">=" || operator === "==") ? "all" : bound(operator, percent(share))
}

const bound = (operator: Ordering, number: string): string => {
  switch (operator) {
    case ">=":
      return `at least ${number}`
    case ">":
      return `more than ${number}`
    case "<=":
      return `at most ${number}`
    case "<":
      return `less than ${number}`
    case "==":
      return `exactly ${number}`
    case "!=":
      return `anything but ${number}`
  }
}

/** To one decimal, as thresholds are. */
const percent = (share: number): string => `${Math.round(share * 1_000) / 10}%`
