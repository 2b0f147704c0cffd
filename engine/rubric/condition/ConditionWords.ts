import type { ASTNode } from "@marcbachmann/cel-js"
import type { FactFields } from "../../plugin/Fact.ts"
import { grouped } from "../../plugin/Wording.ts"
import { factRead } from "./ConditionTree.ts"

/** A condition in words: a clause, or several that must hold together in some number. */
export type Clause =
  | { readonly _tag: "Plain"; readonly text: string }
  /** `lead` says how many of the clauses must hold, such as "all of" or "at least 4 of". */
  | { readonly _tag: "Group"; readonly lead: string; readonly clauses: ReadonlyArray<Clause> }

/** Says a condition in the words in which its facts are documented. What there are no words for is left as it is written. */
export const conditionWords = (tree: ASTNode, fields: FactFields): Clause => clauseOf(tree, factWords(fields), fields)

/** A clause in one sentence. */
export const inOneLine = (clause: Clause): string => {
  if (clause._tag === "Plain") return clause.text
  const parts = clause.clauses.map((part) => (part._tag === "Group" ? `(${inOneLine(part)})` : part.text))
  if (clause.lead === ALL) return parts.join("; and ")
  return clause.lead === ANY ? parts.join("; or ") : `${clause.lead}: ${parts.join("; ")}`
}

/** A line of a clause that is told as a nested list. */
interface OutlineItem {
  /** From 0. */
  readonly depth: number
  readonly text: string
}

/** The parts of a clause as a nested list; none where it has no parts. */
export const outline = (clause: Clause, depth = 0): ReadonlyArray<OutlineItem> =>
  clause._tag === "Plain"
    ? []
    : clause.clauses.flatMap((part) => [
        { depth, text: part._tag === "Plain" ? part.text : groupLead(part.lead) },
        ...outline(part, depth + 1)
      ])

/** The text above the parts of a group. */
export const groupLead = (lead: string): string => (lead.endsWith(" of") ? `${lead} these hold:` : `${lead}:`)

const ALL = "all of"
const ANY = "any of"

const plain = (text: string): Clause => ({ _tag: "Plain", text })

const asWritten = (node: ASTNode): string => `\`${node.input.slice(node.start, node.end).replace(/\s+/gu, " ")}\``

const clauseOf = (node: ASTNode, words: FactWords, fields: FactFields): Clause => {
  const each = (part: ASTNode) => clauseOf(part, words, fields)
  const name = factRead(node)
  if (name !== null && fields[name]?.kind === "flag") return plain(words.flag(name))
  if (node.op === "&&" || node.op === "||") {
    return group(node.op === "&&" ? ALL : ANY, operands(node, node.op).map(each))
  }
  if (node.op === "!_") {
    const inner = each(node.args)
    return inner._tag === "Plain" ? plain(`not: ${inner.text}`) : { ...inner, lead: `not ${inner.lead}` }
  }
  if (node.op === "in") return plain(membership(node.args, words) ?? asWritten(node))
  return isComparison(node) ? comparison(node, words, fields) : plain(asWritten(node))
}

/** What must hold together anyway needs no group of its own within the group. */
const group = (lead: string, clauses: ReadonlyArray<Clause>): Clause => ({
  _tag: "Group",
  lead,
  clauses: clauses.flatMap((clause) =>
    clause._tag === "Group" && clause.lead === lead && (lead === ALL || lead === ANY) ? clause.clauses : [clause]
  )
})

/** The parts of `a && b && c`, which the parser has as pairs. */
const operands = (node: ASTNode, op: "&&" | "||"): ReadonlyArray<ASTNode> =>
  node.op === op ? node.args.flatMap((part) => operands(part, op)) : [node]

type Comparison = Extract<ASTNode, { readonly op: Ordering }>

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="] satisfies ReadonlyArray<Ordering>)

const isComparison = (node: ASTNode): node is Comparison => COMPARISONS.has(node.op)

const TURNED: Readonly<Record<Ordering, Ordering>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  "==": "==",
  "!=": "!="
}

const comparison = (node: Comparison, words: FactWords, fields: FactFields): Clause => {
  const [left, right] = node.args
  const [value, operator, literal] = left.op === "value" ? [right, TURNED[node.op], left] : [left, node.op, right]
  const constant = literal.op === "value" ? literal.args : null
  const name = factRead(value)
  if (typeof constant === "string" && name !== null && (operator === "==" || operator === "!=")) {
    return plain(`${words.subject(name)}: ${operator === "==" ? "" : "not "}“${constant}”`)
  }
  if (typeof constant !== "number" && typeof constant !== "bigint") return plain(asWritten(node))
  const number = Number(constant)
  if (name !== null) return plain(words.compared(name, operator, number))
  return counted(value, operator, number, words, fields) ?? plain(asWritten(node))
}

const membership = ([value, list]: readonly [ASTNode, ASTNode], words: FactWords): string | null => {
  const name = factRead(value)
  if (name === null || list.op !== "list") return null
  const choices = list.args.map((choice) => (choice.op === "value" ? `“${String(choice.args)}”` : asWritten(choice)))
  return `${words.subject(name)}: ${choices.join(" or ")}`
}

/** `[…].filter(met, met).size() >= 4`, and such sizes added up with `(condition ? 2 : 0)`. */
const counted = (
  node: ASTNode,
  operator: Ordering,
  number: number,
  words: FactWords,
  fields: FactFields
): Clause | null => {
  const terms = sum(node)
  const [only] = terms
  const parts = terms.map((term) => termClauses(term, words, fields, terms.length > 1))
  if (only === undefined || parts.includes(null)) return null
  const clauses = parts.flatMap((part) => part ?? [])
  const lead =
    terms.length > 1 ? `the sum of these is ${total(operator, number)}` : how(operator, number, clauses.length)
  return { _tag: "Group", lead, clauses }
}

const sum = (node: ASTNode): ReadonlyArray<ASTNode> => (node.op === "+" ? node.args.flatMap(sum) : [node])

const termClauses = (
  term: ASTNode,
  words: FactWords,
  fields: FactFields,
  weighed: boolean
): ReadonlyArray<Clause> | null => {
  const list = counting(term)
  if (list !== null) return list.map((part) => weigh(1, clauseOf(part, words, fields), weighed))
  if (term.op !== "?:") return null
  const [test, then, otherwise] = term.args
  if (then.op !== "value" || otherwise.op !== "value" || Number(otherwise.args) !== 0) return null
  return [weigh(Number(then.args), clauseOf(test, words, fields), weighed)]
}

const weigh = (points: number, clause: Clause, weighed: boolean): Clause =>
  weighed ? plain(`${points} if ${inOneLine(clause)}`) : clause

/** The elements of `[…].filter(met, met).size()`; `null` for anything else. */
const counting = (node: ASTNode): ReadonlyArray<ASTNode> | null => {
  const filtered = node.op === "rcall" && node.args[0] === "size" ? node.args[1] : null
  if (filtered?.op !== "rcall" || filtered.args[0] !== "filter") return null
  const [, list, [variable, test]] = filtered.args
  const itself = variable?.op === "id" && test?.op === "id" && variable.args === test.args
  return itself && list.op === "list" ? list.args : null
}

const how = (operator: Ordering, number: number, of: number): string => {
  if ((operator === "==" || operator === ">=") && number === of) return ALL
  if (operator === ">=" && number === 1) return ANY
  return `${total(operator, number)} of`
}

const total = (operator: Ordering, number: number): string => {
  switch (operator) {
    case ">=":
      return `at least ${number}`
    case ">":
      return `at least ${number + 1}`
    case "<=":
      return `at most ${number}`
    case "<":
      return `at most ${number - 1}`
    case "==":
      return `exactly ${number}`
    case "!=":
      return `any number but ${number}`
  }
}

/** Facts in sentences: their meanings, cut to the part that names them. */
interface FactWords {
  /** A count or a share compared with a number: "at least 90% of the pages … have a title". */
  readonly compared: (name: string, operator: Ordering, number: number) => string
  /** What a true flag means. */
  readonly flag: (name: string) => string
  /** What a word describes. */
  readonly subject: (name: string) => string
}

type Ordering = "<" | "<=" | ">" | ">=" | "==" | "!="

const factWords = (fields: FactFields): FactWords => ({
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
