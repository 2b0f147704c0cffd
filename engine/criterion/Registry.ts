import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { Budget } from "../evidence/AuditBudget.ts"
import type { Site } from "../site/Site.ts"
import { define, type Measurement, type PluginCode, type Unobtainable } from "./Criterion.ts"
import type { FactFields, FactRecord } from "./Fact.ts"
import type { Revision } from "./Revision.ts"

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
