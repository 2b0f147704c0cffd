import * as Schema from "effect/Schema"

/** What kind of mistake a problem is; stable names, for editors and CI. */
export const ProblemRule = Schema.Literals([
  /** The file as such: its size, its encoding, its emptiness, or that it cannot be read at all. */
  "evidence",
  "file",
  /** Not YAML, or YAML that a rubric may not use (aliases, tags, tabs). */
  "yaml",
  "duplicate_key",
  "unknown_key",
  "missing_key",
  /** A value of the wrong type, or outside what the field allows. */
  "value",
  "duplicate_id",
  "points",
  "levels",
  "condition",
  "unreachable_level",
  /** A remedy has nothing to advise while points are missing. */
  "finished_remedy",
  "plugin",
  "params",
  "changes",
  /** The rubric that this one extends does not exist, or does not allow the change. */
  "extends",
  /** A text names a number that there is not. */
  "text_number",
  /** Two criteria say the same in the same words. */
  "repeated_text",
  /** A text that `criterion new` wrote for its author to replace, or a reference to a reserved name. */
  "placeholder_text",
  /** A text of format 3 gives a number that is none of its criterion's. */
  "loose_number",
  /** A rule on a share earns points where there is nothing to take it of. */
  "nothing_judged"
])
export type ProblemRule = typeof ProblemRule.Type

/** Advice: such a rubric can be used. */
const ADVICE: ReadonlySet<ProblemRule> = new Set([
  "finished_remedy",
  "repeated_text",
  "placeholder_text",
  "loose_number",
  "nothing_judged"
])

/** Whether a rubric with this problem can be used; `rubric check` then exits with 0. */
export const isWarning = ({ rule }: { readonly rule: ProblemRule }): boolean => ADVICE.has(rule)

/** One mistake in a rubric, and where it is. */
export const Problem = Schema.Struct({
  rule: ProblemRule,
  /** The path as the caller gave it. */
  file: Schema.String,
  /** From 1. */
  line: Schema.Int,
  /** From 1, in UTF-16 code units, as editors count. */
  column: Schema.Int,
  /** One plain sentence without a full stop. */
  message: Schema.String,
  /** What to write instead, where that is known. */
  hint: Schema.NullOr(Schema.String),
  /** The lines around the place, with a mark under it; empty where there is nothing to show. */
  frame: Schema.String
})
export type Problem = typeof Problem.Type

/** The rubric cannot be used. Nothing has been done with it. */
export class RubricInvalid extends Schema.TaggedError<RubricInvalid>()("RubricInvalid", {
  file: Schema.String,
  /** Every problem, in file order; at least one. */
  problems: Schema.Array(Problem)
}) {
  override get message(): string {
    return this.problems.map(render).join("\n\n")
  }
}

/** A problem as text: the place and the message in one line, the frame below it, then the hint. Safe for a terminal. */
export const render = (problem: Problem): string => {
  const lines = [`${printable(problem.file)}:${problem.line}:${problem.column}: ${printable(problem.message)}`]
  if (problem.frame !== "") lines.push(problem.frame)
  if (problem.hint !== null) lines.push(`  ${printable(problem.hint)}`)
  return lines.join("\n")
}

/** Control and direction characters written out, so that a file cannot steer the terminal that shows it. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
