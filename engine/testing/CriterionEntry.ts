import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { judge, type Judgement } from "../audit/Score.ts"
import type { FactFields, FactRecord, UncertainRecord } from "../plugin/Fact.ts"
import { compilerFor, type Condition } from "../rubric/condition/Condition.ts"
import type { Level } from "../rubric/definition/Rubric.ts"
import { readSource } from "../rubric/RubricSource.ts"
import { isExternal } from "../external/ExternalReference.ts"

/** The part of a criterion's rubric entry that judges it. */
export interface CriterionEntry {
  /** Such as `A1`. */
  readonly id: string
  readonly params: Readonly<Record<string, unknown>>
  /** How the rubric names an external plugin, which the engine runs in a thread; `null` for one of ours. */
  readonly external: { readonly name: string; readonly rubricFile: string } | null
  readonly levels: ReadonlyArray<Pick<Level, "status" | "earns">>
  /** What these facts come to. */
  readonly earns: (facts: FactRecord, uncertain?: UncertainRecord) => CaseResult
}

/**
 * The points of the level that is reached, which identify it; `partial`: the level of that status that earns nothing;
 * `inconclusive`: the level depends on uncertain facts.
 */
export type CaseResult = number | "partial" | "inconclusive"

/** The result by which a case reaches a level. */
export const resultOfLevel = ({ earns, status }: Pick<Level, "status" | "earns">): CaseResult =>
  status === "partial" && earns === 0 ? "partial" : earns

/** The rubric of the source tree, or of the package. */
const RUBRIC = new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)

/**
 * The entry for one plugin in a rubric, with its conditions checked against the plugin's facts. In an author's own file, which
 * names plugins by path, it is the entry of that module or with that name after `#`. Errors in other entries are ignored. Throws
 * if there is no entry or a condition does not compile.
 */
export const criterionEntryOf = (
  criterion: { readonly id: string; readonly facts: FactFields },
  file: string | URL = RUBRIC
): CriterionEntry => {
  const { decoded } = Effect.runSync(readSource(readFileSync(file), pathOf(file)))
  const rubric = Result.getOrThrowWith(
    decoded,
    () => new Error(`${pathOf(file)} is not a rubric; docgauge rubric check lists what is wrong with it`)
  )
  const entries = [...rubric.categories.flatMap(({ criteria }) => criteria), ...(rubric.experimental ?? [])]
  const entry = entries.find(({ plugin }) => nameOf(plugin) === criterion.id)
  if (entry === undefined) throw new Error(`the rubric has no criterion for ${criterion.id}`)
  const compile = compilerFor(criterion.facts)
  const levels = entry.levels.map(({ earns, status, when }) => ({
    earns,
    status,
    condition: when === undefined ? null : compiled(compile(when), entry.id)
  }))
  return {
    id: entry.id,
    params: entry.params,
    external: isExternal(entry.plugin) ? { name: entry.plugin, rubricFile: pathOf(file) } : null,
    levels,
    earns: (facts, uncertain) => resultOfJudgement(judge(levels, facts, uncertain))
  }
}

const pathOf = (file: string | URL): string =>
  file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file

const resultOfJudgement = ({ earns, status }: Judgement): CaseResult =>
  status === "inconclusive" ? status : resultOfLevel({ earns, status })

/** `has-glossary` of `./criteria/has-glossary.ts`, of `@acme/criteria#has-glossary` and of `has-glossary`. */
const nameOf = (plugin: string): string => (plugin.split(/[#/]/).at(-1) ?? plugin).replace(/\.[cm]?[jt]s$/, "")

const compiled = (result: Result.Result<Condition, { readonly message: string }>, id: string): Condition => {
  if (Result.isSuccess(result)) return result.success
  throw new Error(`${id}: ${result.failure.message}`)
}
