import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../../engine/audit/Report.ts"
import { judge } from "../../../engine/audit/Score.ts"
import type { Fact, FactRecord } from "../../../engine/plugin/Fact.ts"
import { revisionParts } from "../../../engine/plugin/Registry.ts"
import type { LoadedRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))

/** Reports of real length, by which those that are made up are padded. */
const templates = ["excellent", "typical", "poor", "hostile", "client-rendered"].map((name) =>
  decode(readFileSync(join(import.meta.dirname, "..", "..", "sites", name, "report.json"), "utf8"))
)

/**
 * A made-up report: facts drawn at random within their kinds, judged by the rubric, texts and evidence those of a golden
 * site. The same number gives the same report.
 */
export const syntheticReport = (number: number, rubric: LoadedRubric<unknown>): AuditReport => {
  const template = templates[number % templates.length]
  if (template === undefined) throw new Error("there are no golden reports")
  const random = randomFrom(number + 1)
  const criteria = template.criteria.map((result) => {
    const criterion = rubric.criteria.find(({ definition }) => definition.id === result.id)
    if (criterion === undefined) return result
    const facts = factsOf(criterion.definition.plugin, random)
    const { earns, status } = judge(criterion.levels, facts)
    const { params, plugin, revision } = criterion.definition
    return {
      ...result,
      status,
      score: earns,
      measured: { plugin, revision: revisionParts(revision).major, params, facts }
    }
  })
  const { id, version } = rubric.rubric
  return {
    ...template,
    base_url: `https://docs.site-${number}.example`,
    total_score: criteria.reduce((sum, { score }) => sum + score, 0),
    criteria,
    rubric: { id, version, digest: rubric.digest }
  }
}

const factsOf = (plugin: string, random: () => number): FactRecord =>
  Object.fromEntries(
    Object.entries(plugins.get(plugin)?.facts ?? {}).map(([name, fact]) => [name, valueOf(fact, random)])
  )

const valueOf = (fact: Fact, random: () => number): number | boolean | string => {
  switch (fact.kind) {
    case "count":
      return Math.floor(random() * 12)
    case "share":
      return Math.round(random() * 10_000) / 10_000
    case "flag":
      return random() < 0.6
    case "word":
      return fact.words[Math.floor(random() * fact.words.length)] ?? ""
  }
}

/** A linear congruential generator (Numerical Recipes), from 0 to 1. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
