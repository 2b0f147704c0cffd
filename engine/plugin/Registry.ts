import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { Budget } from "../evidence/AuditBudget.ts"
import type { Site } from "../site/Site.ts"
import { define, type Measurement, type PluginCode, type Unobtainable } from "./Criterion.ts"
import type { FactFields, FactRecord } from "./Fact.ts"

/** A plugin together with values for its params. */
export interface BoundCriterion {
  readonly budget: Budget
  readonly needsServer: boolean
  readonly measure: (site: Site) => Effect.Effect<Measurement<FactRecord>, Unobtainable>
}

/** A plugin with its types of params and facts erased, so that all plugins fit one list. */
export interface RegisteredCriterion {
  readonly id: string
  readonly revision: Revision
  readonly budget: Budget
  readonly facts: FactFields
  readonly params: Schema.Top
  /** Decodes the rubric's params; unknown keys are an error. */
  readonly bind: (params: unknown) => Result.Result<BoundCriterion, SchemaIssue.Issue>
}

/** The plugins of this program, by id. */
export type Registry = ReadonlyMap<string, RegisteredCriterion>

/** Two plugins in the list have the same id. */
export class DuplicatePlugin extends Schema.TaggedError<DuplicatePlugin>()("DuplicatePlugin", { id: Schema.String }) {
  override get message(): string {
    return `two plugins have the id "${this.id}"`
  }
}

/** Erases the types of a plugin for the list; it need not have been declared by `define`. */
export const register = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: PluginCode<Fields, Params> & { readonly params: Schema.ConstraintDecoder<Schema.Struct.Type<Params>> }
): RegisteredCriterion => {
  const decode = SchemaParser.decodeUnknownResult(criterion.params, { errors: "all", onExcessProperty: "error" })
  const declared = define<Fields, Params>(criterion)
  return {
    id: criterion.id,
    revision: criterion.revision,
    budget: criterion.budget,
    facts: criterion.facts,
    params: criterion.params,
    bind: (params) =>
      Result.map(decode(params), (decoded) => ({
        budget: criterion.budget,
        needsServer: criterion.needsServer === true,
        measure: (site) => Effect.map(declared.measure(site, decoded), forget)
      }))
  }
}

/** The list as a map, in its order. */
export const registryOf = (plugins: ReadonlyArray<RegisteredCriterion>): Result.Result<Registry, DuplicatePlugin> => {
  const registry = new Map<string, RegisteredCriterion>()
  for (const plugin of plugins) {
    if (registry.has(plugin.id)) return Result.fail(new DuplicatePlugin({ id: plugin.id }))
    registry.set(plugin.id, plugin)
  }
  return Result.succeed(registry)
}

const forget = <Facts extends FactRecord>({
  facts,
  filesCut = 0,
  findings,
  unanswered = [],
  uncertain = {}
}: Measurement<Facts>): Measurement<FactRecord> => ({ facts, filesCut, findings, unanswered, uncertain })

const FORM = 'a whole number such as 2, or text in quotes such as "2.1"'

/**
 * A plugin's revision as it is written: `2`, or `"2.1"` since it has got facts and none of the others changed. Text, because "2.10"
 * comes after "2.9"; `2` is 2.0.
 */
export const Revision = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  Schema.String.check(Schema.isPattern(/^[1-9]\d{0,5}\.(0|[1-9]\d{0,5})$/u))
]).annotate({ expected: FORM })
export type Revision = typeof Revision.Type

interface RevisionParts {
  /** Higher: the same evidence could give other values of the same facts. */
  readonly major: number
  /** Higher within one `major`: there are more facts. */
  readonly minor: number
}

export const revisionParts = (revision: Revision): RevisionParts => {
  const [major = 0, minor = 0] = String(revision).split(".").map(Number)
  return { major, minor }
}

const isRevision = Schema.is(Revision)

/** What is wrong with a revision that a plugin's code declares; `null`: nothing. */
export const revisionFault = (revision: Revision): string | null =>
  isRevision(revision) ? null : `its revision is ${JSON.stringify(revision)}, and must be ${FORM}`

/** Whether a plugin at a revision has all facts that another revision has, and the same values of them. */
export const servesRevision = (revision: Revision, wanted: Revision): boolean => {
  const [has, wants] = [revisionParts(revision), revisionParts(wanted)]
  return has.major === wants.major && has.minor >= wants.minor
}
