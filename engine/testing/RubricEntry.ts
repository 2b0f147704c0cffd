import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parse } from "yaml"
import { judge } from "../audit/Score.ts"
import type { FactFields, FactRecord } from "../criterion/Fact.ts"
import { type Condition, compilerFor } from "../rubric/Condition.ts"
import { type Level, Rubric } from "../rubric/Rubric.ts"

/** What a rubric says of a criterion, as far as judging it goes. */
export interface RubricEntry {
  /** Such as `A1`. */
  readonly id: string
  readonly params: Readonly<Record<string, unknown>>
  readonly levels: ReadonlyArray<Pick<Level, "status" | "earns">>
  /** The points of the level that these facts reach. */
  readonly earns: (facts: FactRecord) => number
}

/** The rubric of this tree, or of the package. */
const RUBRIC = new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)

/**
 * The entry for one plugin in a rubric, its conditions checked against the plugin's facts: in a file of the author's
 * own, where plugins go by their paths, the entry of that module or of that name after `#`. What is wrong with the other
 * entries does not matter here. Throws where there is none or a condition does not compile.
 */
export const rubricEntryOf = (
  criterion: { readonly id: string; readonly facts: FactFields },
  file: string | URL = RUBRIC
): RubricEntry => {
  const rubric = Schema.decodeUnknownSync(Rubric)(parse(readFileSync(file, "utf8")))
  const entries = [...rubric.categories.flatMap(({ criteria }) => criteria), ...rubric.experimental ?? []]
  const entry = entries.find(({ plugin }) => nameOf(plugin) === criterion.id)
  if (entry === undefined) throw new Error(`the rubric has no criterion for ${criterion.id}`)
  const compile = compilerFor(criterion.facts)
  const levels = entry.levels.map(({ earns, status, when }) =>
    ({ earns, status, condition: when === undefined ? null : compiled(compile(when), entry.id) }))
  return { id: entry.id, params: entry.params, levels, earns: (facts) => judge(levels, facts).earns }
}

/** `has-glossary` of `./criteria/has-glossary.ts`, of `@acme/criteria#has-glossary` and of itself. */
const nameOf = (plugin: string): string => (plugin.split(/[#/]/).at(-1) ?? plugin).replace(/\.[cm]?[jt]s$/, "")

const compiled = (result: Result.Result<Condition, { readonly message: string }>, id: string): Condition => {
  if (Result.isSuccess(result)) return result.success
  throw new Error(`${id}: ${result.failure.message}`)
}
