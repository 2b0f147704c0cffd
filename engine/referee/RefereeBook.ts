import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import type { FactFields } from "../plugin/Fact.ts"
import type { Registry } from "../plugin/Registry.ts"
import { CriterionId, readCheckedFile, repeatedIds, textBetween, textLike } from "../rubric/CheckedFile.ts"
import { compilerFor, type Condition } from "../rubric/condition/Condition.ts"
import { suggestion } from "../rubric/source/NearestName.ts"
import type { RubricInvalid } from "../rubric/source/Problem.ts"
import type { Diagnostic } from "../rubric/source/SourceText.ts"
import { itemsUnder, type YamlNode } from "../rubric/source/YamlSource.ts"

const Day = textLike(/^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/, "must be a day, such as 2026-11-30")
const Id = textLike(/^[a-z][a-z0-9-]{1,30}$/, "must be lower case, such as ax-audit")
const Sentence = textBetween(20, 400)

/**
 * How a tool's check relates to what of ours it is held against. `same`: both ask the same; `wider`: it asks for that and more;
 * `narrower`: it asks for a part of it; `overlaps`: each asks for something that the other does not; `none`: we judge nothing of the kind.
 */
export const Relation = Schema.Literals(["same", "wider", "narrower", "overlaps", "none"])
export type Relation = typeof Relation.Type

/** A check of a tool and what of ours it is held against. */
export const MappedCheck = Schema.Struct({
  /** As the tool's report names it. */
  id: textBetween(2, 80),
  criterion: Schema.optionalKey(CriterionId),
  /** A condition over the facts of that criterion, which is held against the check; without one it is the criterion's full points. */
  holds: Schema.optionalKey(textBetween(5, 400)),
  /** A condition over the same facts without which they say nothing of it, such as that there is Markdown to look at. */
  given: Schema.optionalKey(textBetween(5, 200)),
  relation: Relation,
  /** What the two measure differently, or why we measure nothing of the kind. */
  because: Sentence,
  /** Words of our finding that decides, where the criterion has findings of several kinds. */
  about: Schema.optionalKey(textBetween(2, 60)),
  /** It looks at pages of a sample, so that two tools may have looked at different ones. */
  pages: Schema.optionalKey(Schema.Literal(true)),
  /** A linter's rule that is off by default: a report that does not name it says nothing of it. */
  off: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "MappedCheck" })
export type MappedCheck = typeof MappedCheck.Type

/** A tool whose reports we read. */
export const RefereeTool = Schema.Struct({
  id: Id,
  title: textBetween(2, 60),
  /** The versions whose reports we have seen. */
  version: textBetween(1, 40),
  /** `run`: run by us; `published`: others published the report. */
  seen: Schema.Struct({ how: Schema.Literals(["run", "published"]), where: textBetween(5, 300), on: Day }),
  /** The command or request that gives the report. */
  report: textBetween(5, 200),
  /** Members that the report has at its top, by which it is recognised. */
  members: Schema.Array(textBetween(2, 40)).check(Schema.isMinLength(2)),
  /** What of its report is left out, by the groups it names. */
  groups: Schema.optionalKey(Schema.Array(Schema.Struct({ id: textBetween(2, 40), because: Sentence }))),
  checks: Schema.Array(MappedCheck).check(Schema.isMinLength(1))
}).annotate({ identifier: "RefereeTool" })
export type RefereeTool = typeof RefereeTool.Type

const RefereeFile = Schema.Struct({
  format: Schema.Literal(1),
  tools: Schema.Array(RefereeTool).check(Schema.isMinLength(1)),
  /** Tools whose reports we do not read, and why. */
  unread: Schema.Array(Schema.Struct({ title: textBetween(2, 60), because: Sentence }))
}).annotate({ identifier: "RefereeFile" })

/** The tools, with their conditions compiled. */
export interface RefereeBook {
  readonly tools: ReadonlyArray<RefereeTool>
  readonly unread: typeof RefereeFile.Type.unread
  /** The condition that `holds` or `given` is, of a criterion; `null` for a text that the file does not have. */
  readonly condition: (criterion: string, text: string) => Condition | null
}

/** Facts by criterion: plugins of our own are named after the criterion that uses them. */
const factsOf = (plugins: Registry): ReadonlyMap<string, FactFields> =>
  new Map([...plugins.values()].map(({ facts, id }) => [(id.split("-")[0] ?? "").toUpperCase(), facts]))

const decode = SchemaParser.decodeUnknownResult(RefereeFile, { errors: "all", onExcessProperty: "error" })

/** Reads `referee.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place. */
export const loadReferee = (
  bytes: Uint8Array,
  file: string,
  plugins: Registry
): Effect.Effect<RefereeBook, RubricInvalid> => {
  const facts = factsOf(plugins)
  const conditions = new Map<string, Condition>()
  const compile = (criterion: string, text: string) => {
    const compiled = compilerFor(facts.get(criterion) ?? {})(text)
    if (Result.isSuccess(compiled)) conditions.set(`${criterion} ${text}`, compiled.success)
    return compiled
  }
  const problems = (root: YamlNode): ReadonlyArray<Diagnostic> => {
    const tools = itemsUnder(root, "tools")
    return [
      ...repeatedIds(tools, "tool"),
      ...tools.flatMap((tool) => {
        const checks = itemsUnder(tool, "checks")
        return [...repeatedPairs(checks), ...checks.flatMap((check) => faultsOf(check, [...facts.keys()], compile))]
      })
    ]
  }
  return Effect.map(readCheckedFile(bytes, file, { decode, whole: "a file of tools", problems }), (read) => ({
    tools: read.tools,
    unread: read.unread,
    condition: (criterion: string, text: string) => conditions.get(`${criterion} ${text}`) ?? null
  }))
}

const entryOf = (node: YamlNode, key: string): YamlNode | undefined => node.entries.get(key)?.node

/** A check that is held against one criterion twice. */
const repeatedPairs = (checks: ReadonlyArray<YamlNode>): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return checks.flatMap((check): ReadonlyArray<Diagnostic> => {
    const id = entryOf(check, "id")
    if (id === undefined) return []
    const pair = `${String(id.plain)} ${String(entryOf(check, "criterion")?.plain)}`
    const message = `the check ${String(id.plain)} is already in the file for this criterion`
    return seen.size < seen.add(pair).size ? [] : [{ rule: "duplicate_id", span: id.span, message, hint: null }]
  })
}

/** What the schema cannot say of a check: that its criterion exists, and that its condition is one over that criterion's facts. */
const faultsOf = (
  check: YamlNode,
  criteria: ReadonlyArray<string>,
  compile: (criterion: string, text: string) => Result.Result<Condition, { message: string; hint: string | null }>
): ReadonlyArray<Diagnostic> => {
  const [criterion, relation] = [entryOf(check, "criterion"), entryOf(check, "relation")]
  if (relation !== undefined && (relation.plain === "none") !== (criterion === undefined)) {
    const message = 'a check has a criterion, unless its relation is "none"'
    return [{ rule: "value", span: relation.span, message, hint: null }]
  }
  if (criterion === undefined || typeof criterion.plain !== "string") return []
  if (!criteria.includes(criterion.plain)) {
    const hint = suggestion(criterion.plain, criteria, "the criteria are")
    return [{ rule: "value", span: criterion.span, message: `there is no criterion ${criterion.plain}`, hint }]
  }
  const { plain } = criterion
  return ["holds", "given"].flatMap((key): ReadonlyArray<Diagnostic> => {
    const text = entryOf(check, key)
    if (text === undefined || typeof text.plain !== "string") return []
    const compiled = compile(plain, text.plain)
    return Result.isSuccess(compiled) ? [] : [{ rule: "condition", span: text.span, ...compiled.failure }]
  })
}
