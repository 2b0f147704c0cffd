import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as Schema from "effect/Schema"
import { readRubricText, reject } from "./RubricSource.ts"
import { suggestion } from "./source/NearestName.ts"
import type { RubricInvalid } from "./source/Problem.ts"
import { shapeDiagnostics } from "./source/SchemaDiagnostics.ts"
import type { Diagnostic } from "./source/SourceText.ts"
import { itemsUnder, readYamlSource, type YamlNode } from "./source/YamlSource.ts"

/** Text of a length, in UTF-16 code units. */
export const textBetween = (least: number, most: number) =>
  Schema.String.check(Schema.isMinLength(least), Schema.isMaxLength(most))

export const textLike = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }))

export const HttpsUrl = textLike(/^https:\/\/[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/u, "must be an https URL")

export const CriterionId = textLike(/^[A-Z]\d{1,2}$/, "must be the id of a criterion, such as A1")

/** How a YAML file beside the rubric is read. */
interface FileCheck<A> {
  readonly decode: (input: unknown) => Result.Result<A, SchemaIssue.Issue>
  /** What a message calls the file as a whole, such as `a file of recipes`. */
  readonly whole: string
  /** What its schema cannot say. */
  readonly problems: (root: YamlNode) => ReadonlyArray<Diagnostic>
}

/** Reads a YAML file from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place. */
export const readCheckedFile = <A>(
  bytes: Uint8Array,
  file: string,
  { decode, problems, whole }: FileCheck<A>
): Effect.Effect<A, RubricInvalid> =>
  Effect.flatMap(readRubricText(bytes, file), (source) => {
    const { diagnostics, root } = readYamlSource(source)
    if (root === null) return reject(source, diagnostics)
    const decoded = decode(root.plain)
    const found = [...diagnostics, ...shapeDiagnostics(decoded, root, whole), ...problems(root)]
    return Result.isFailure(decoded) || found.length > 0 ? reject(source, found) : Effect.succeed(decoded.success)
  })

/** Items whose `id` an earlier one has, too. `kind`: what an item is, such as `tool`. */
export const repeatedIds = (items: ReadonlyArray<YamlNode>, kind: string): ReadonlyArray<Diagnostic> => {
  const seen = new Set<unknown>()
  return items.flatMap((item): ReadonlyArray<Diagnostic> => {
    const id = item.entries.get("id")?.node
    if (id === undefined) return []
    const repeated = seen.has(id.plain)
    seen.add(id.plain)
    const message = `a ${kind} named ${String(id.plain)} is already in the file`
    return repeated ? [{ rule: "duplicate_id", span: id.span, message, hint: null }] : []
  })
}

/** Criteria that an item lists and that do not exist. */
export const unknownCriteria = (item: YamlNode, criteria: ReadonlyArray<string>): ReadonlyArray<Diagnostic> =>
  itemsUnder(item, "criteria")
    .filter(({ plain }) => typeof plain === "string" && !criteria.includes(plain))
    .map(({ plain, span }) => ({
      rule: "value",
      span,
      message: `there is no criterion ${String(plain)}`,
      hint: suggestion(String(plain), criteria, "the criteria are")
    }))
