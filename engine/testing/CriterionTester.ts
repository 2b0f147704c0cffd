import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import type { Criterion, Finding } from "../criterion/Criterion.ts"
import type { FactFields, FactValues } from "../criterion/Fact.ts"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import { type CriterionRun, runCriterion, wasFetched } from "./CriterionRun.ts"
import { FAKE_HOST, type FakeSite } from "./FakeSite.ts"
import { type Ordeal, type OrdealName, ordeals } from "./Robustness.ts"
import { type RubricEntry, rubricEntryOf } from "./RubricEntry.ts"

/** The points of the level that is reached (they tell a criterion's levels apart), or that evidence could not be had. */
export type Verdict = number | "inconclusive"

/** A small site and what a criterion must make of it. */
export interface CriterionCase<Fields extends FactFields, Params extends Schema.Struct.Fields> {
  /** Tells the case from the others, and says what is special about the site. */
  readonly name: string
  readonly site: FakeSite
  /** The audited address, absolute or a path; `/` unless given. */
  readonly url?: string
  /** Instead of the rubric's. */
  readonly params?: Partial<Schema.Struct.Type<Params>>
  readonly limits?: Partial<FetchLimits>
  readonly date?: string
  readonly sampleSize?: number
  readonly earns: Verdict
  /** Facts that must be so; others may be anything. */
  readonly facts?: Partial<FactValues<Fields>>
  /** Each must be met by one finding. */
  readonly findings?: ReadonlyArray<ExpectedFinding>
}

export interface ExpectedFinding {
  /** Part of the message. */
  readonly says?: string
  /** The address that was asked for, absolute or a path. */
  readonly proof?: string
  readonly good?: boolean
}

export interface CriterionSuite<Fields extends FactFields, Params extends Schema.Struct.Fields> {
  readonly cases: ReadonlyArray<CriterionCase<Fields, Params>>
  /** The rubric file that has the plugin's entry; this package's own where it is left out. */
  readonly rubric?: string | URL
  /** What the ordeals come to where that is neither 0 points nor inconclusive; say why beside it. */
  readonly ordeals?: Readonly<Partial<Record<OrdealName, Verdict>>>
}

/**
 * Tests a criterion's plugin with the rubric's own entry for it. In a vitest file:
 *
 * ```ts
 * testCriterion(a1LlmsTxt, {
 *   cases: [
 *     {
 *       name: "a page stands in its place",
 *       site: { "/": "<h1>Docs</h1>", "/llms.txt": "<!doctype html><title>App</title>" },
 *       earns: 0,
 *       facts: { h1: 0 },
 *       findings: [{ says: "is a web page", proof: "/llms.txt" }]
 *     }
 *   ]
 * })
 * ```
 *
 * Every case runs twice, with answers arriving in different orders, by the path of a real audit. Refused are: two cases
 * of one name, levels of the rubric's entry that no case reaches, findings whose proof was not fetched in that audit,
 * and results that differ between the two runs. Besides, the plugin goes through `ordeals` and must neither crash nor
 * earn anything.
 */
export const testCriterion = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  suite: CriterionSuite<Fields, Params>
): void => {
  const entry = rubricEntryOf(criterion, suite.rubric)
  describe(`${entry.id} ${criterion.id}`, () => {
    test("its cases have names of their own and reach every level", () => {
      expect(suiteFaults(entry, suite.cases)).toEqual([])
    })
    describe("cases", () => {
      for (const example of suite.cases) {
        test(example.name, async () => expect(await caseFaults(criterion, entry, example)).toEqual([]))
      }
    })
    describe("ordeals", () => {
      for (const ordeal of ordeals) {
        test(ordeal.name, async () =>
          expect(await ordealFaults(criterion, entry, ordeal, suite.ordeals?.[ordeal.name])).toEqual([]))
      }
    })
  })
}

/** What is wrong with a set of cases; one sentence each. */
export const suiteFaults = (
  entry: RubricEntry,
  cases: ReadonlyArray<{ readonly name: string; readonly earns: Verdict }>
): ReadonlyArray<string> => {
  const names = cases.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  const missed = entry.levels.filter(({ earns }) => !cases.some((example) => example.earns === earns))
  return [
    ...repeated.map((name) => `two cases are called "${name}"`),
    ...missed.map(({ earns, status }) => `no case reaches the level "${status}" with ${earns} points`)
  ]
}

/** What is wrong with how a criterion does on one case; one sentence each. */
export const caseFaults = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: RubricEntry,
  example: CriterionCase<Fields, Params>
): Promise<ReadonlyArray<string>> => {
  const { params = {}, ...circumstances } = example
  const measured = (seed: number) =>
    Effect.runPromise(runCriterion(criterion, entry.id, { ...entry.params, ...params }, { ...circumstances, seed }))
  const run = await measured(1)
  const again = await measured(2)
  const verdict = verdictOf(entry, run)
  return [
    ...(verdict === example.earns ? [] : [`earns ${verdict} instead of ${example.earns}: ${run.findings[0].message} ${JSON.stringify(run.facts)}`]),
    ...wrongFacts(run.facts, example.facts ?? {}),
    ...(example.findings ?? []).filter((expected) => !run.findings.some((finding) => meets(finding, expected)))
      .map((expected) => `no finding ${JSON.stringify(expected)} among ${outline(run)}`),
    ...unproven(run),
    ...differences(run, again)
  ]
}

/** What is wrong with how a criterion comes through an ordeal; one sentence each. */
export const ordealFaults = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: RubricEntry,
  { limits = {}, site }: Ordeal,
  expected?: Verdict
): Promise<ReadonlyArray<string>> => {
  const run = await Effect.runPromise(runCriterion(criterion, entry.id, entry.params, { site, limits, seed: 1 }))
  const verdict = verdictOf(entry, run)
  const right = expected === undefined ? verdict === 0 || verdict === "inconclusive" : verdict === expected
  return [
    ...(right ? [] : [`earns ${verdict} instead of ${expected ?? "nothing"}: ${run.findings[0].message} ${JSON.stringify(run.facts)}`]),
    ...unproven(run)
  ]
}

const verdictOf = <Fields extends FactFields>(entry: RubricEntry, run: CriterionRun<Fields>): Verdict =>
  run.facts === null ? "inconclusive" : entry.earns(run.facts)

const wrongFacts = (facts: Readonly<Record<string, unknown>> | null, expected: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.entries(expected)
    .filter(([name, value]) => facts?.[name] !== value)
    .map(([name, value]) => `${name} is ${JSON.stringify(facts?.[name])} instead of ${JSON.stringify(value)}`)

const meets = (finding: Finding, expected: ExpectedFinding): boolean =>
  (expected.says === undefined || finding.message.includes(expected.says))
  && (expected.proof === undefined || finding.proof.asked.url === new URL(expected.proof, FAKE_HOST).href)
  && (expected.good === undefined || finding.good === expected.good)

const unproven = <Fields extends FactFields>({ findings, journal }: CriterionRun<Fields>): ReadonlyArray<string> =>
  findings.filter(({ proof }) => !wasFetched(journal, proof))
    .map(({ message, proof }) => `"${message}" cites ${proof.url}, which was not fetched`)

/** What must not depend on the order of arrival. */
const outline = <Fields extends FactFields>({ facts, findings }: CriterionRun<Fields>): string =>
  JSON.stringify({ facts, findings: findings.map(({ good, message, proof }) => [good, message, proof.asked.url, proof.url]) }, null, 1)

const differences = <Fields extends FactFields>(one: CriterionRun<Fields>, other: CriterionRun<Fields>): ReadonlyArray<string> =>
  outline(one) === outline(other) ? [] : [`answers in another order give another result: ${outline(one)} and ${outline(other)}`]
