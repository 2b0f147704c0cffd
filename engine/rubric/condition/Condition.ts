import type { ASTNode, ParseResult } from "@marcbachmann/cel-js"
import { Environment, EvaluationError, ParseError, TypeError } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import type { Fact, FactFields, FactRecord } from "../../plugin/Fact.ts"
import { type ConditionFault, disallowed, factsRead } from "./ConditionTree.ts"
import { suggestion } from "../source/NearestName.ts"

/** A condition of a level, type-checked against the facts of one plugin. */
export interface Condition {
  readonly text: string
  /** Its syntax tree. */
  readonly tree: ASTNode
  /** The facts that it reads, in order of first reading. */
  readonly reads: ReadonlyArray<string>
  /** The facts that it was checked against. */
  readonly fields: FactFields
  /**
   * Whether it holds for these facts. Never throws: where CEL has no value (a fact that is missing, a whole number out of
   * range), the condition does not hold.
   */
  readonly holds: (facts: FactRecord) => boolean
}

/** Compiles conditions over the facts of one plugin. */
export type Compiler = (text: string) => Result.Result<Condition, ConditionFault>

/** No condition that a person can read comes near these. */
const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 50, maxMapEntries: 1, maxCallArguments: 4 }

/** Longer conditions are refused unread. */
const LONGEST = 4000

/** The compiler for a plugin's facts: makes the type environment once, for all conditions of the criterion. */
export const compilerFor = (fields: FactFields): Compiler => {
  const environment = environmentOf(fields)
  return (text) => {
    if (text.length > LONGEST) return tooLong(text)
    const parsed = parse(environment, text)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const { ast } = parsed.success
    const fault = disallowed(ast, fields)
    if (fault !== null) return Result.fail(fault)
    const checked = parsed.success.check()
    if (checked.error !== undefined) return Result.fail(faultOf(checked.error, text))
    if (checked.type !== "bool") {
      return refuse(
        `the condition gives ${typeName(checked.type)}, not true or false`,
        'compare it, as in "… >= 1"',
        0,
        text.length
      )
    }
    return Result.succeed({ text, tree: ast, reads: factsRead(ast), fields, holds: evaluator(parsed.success, fields) })
  }
}

/**
 * The syntax tree of a condition whose plugin is not at hand: an earlier rubric's, for facts that may have gone since.
 * Nothing is checked but that it reads as CEL.
 */
export const parseCondition = (text: string): Result.Result<ASTNode, ConditionFault> => {
  if (text.length > LONGEST) return tooLong(text)
  return Result.map(parse(UNTYPED, text), ({ ast }) => ast)
}

const TYPES = { count: "int", share: "double", flag: "bool", word: "string" } as const satisfies Record<
  Fact["kind"],
  string
>

const environmentOf = (fields: FactFields): Environment => {
  const types = Object.fromEntries(Object.entries(fields).map(([name, fact]) => [name, TYPES[fact.kind]]))
  return new Environment({ limits: LIMITS }).registerVariable({ name: "facts", schema: types })
}

const UNTYPED = new Environment({ limits: LIMITS, unlistedVariablesAreDyn: true })

const parse = (environment: Environment, text: string): Result.Result<ParseResult, ConditionFault> =>
  Result.try({
    try: () => environment.parse(text),
    catch: (error) => faultOf(error, text)
  })

const evaluator = (program: ParseResult, fields: FactFields) => {
  const counts = new Set(Object.keys(fields).filter((name) => fields[name]?.kind === "count"))
  return (facts: FactRecord): boolean => {
    try {
      const typed = Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [
          name,
          counts.has(name) && typeof value === "number" ? BigInt(value) : value
        ])
      )
      return program({ facts: typed }) === true
    } catch {
      return false
    }
  }
}

const tooLong = (text: string) => refuse(`a condition may have ${LONGEST} characters`, null, 0, text.length)

const refuse = (
  message: string,
  hint: string | null,
  start: number,
  end: number
): Result.Result<never, ConditionFault> => Result.fail({ message, hint, start, end })

/** What the CEL library has to say, in our words where its own are those of a programmer. */
const faultOf = (error: unknown, text: string): ConditionFault => {
  if (!(error instanceof ParseError || error instanceof TypeError || error instanceof EvaluationError)) {
    return { message: "the condition cannot be read", hint: null, start: 0, end: text.length }
  }
  const start = Math.min(error.range?.start ?? 0, Math.max(0, text.length - 1))
  const end = Math.max(start + 1, error.range?.end ?? start + 1)
  const named = text.slice(start, end)
  switch (error.code) {
    case "unknown_variable":
      return {
        message: `there is no variable "${named}"`,
        hint: suggestion(named, ["facts"], "facts are read as"),
        start,
        end
      }
    case "no_such_overload":
      return {
        message: `types do not match: ${error.summary.replace(/^no such overload: /u, "")}`,
        hint: null,
        start,
        end
      }
    default:
      return {
        message: `the condition does not read as CEL: ${plain(error.summary)}`,
        hint: (error.range?.start ?? 0) < text.length ? mistaken(text, start) : null,
        start,
        end
      }
  }
}

const plain = (summary: string): string =>
  summary.replace("EOF", "end of condition").replace(/^[A-Z](?=[a-z])/u, (first) => first.toLowerCase())

/** The usual slips of people who come from other languages. */
const mistaken = (text: string, at: number): string | null => {
  const here = text.slice(at, at + 3)
  if (here.startsWith("=")) return 'equality is written "=="'
  if (here.startsWith("&")) return '"and" is written "&&"'
  if (here.startsWith("|")) return '"or" is written "||"'
  if (/^(and|or|not)\b/u.test(here)) return '"and", "or" and "not" are written "&&", "||" and "!"'
  return null
}

const typeName = (type: string | undefined): string => {
  if (type === "int" || type === "uint" || type === "double") return "a number"
  if (type === "string") return "a word"
  if (type?.startsWith("list") === true) return "a list"
  return "something else"
}
