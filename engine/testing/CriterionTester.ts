import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { requirePeer } from "../config/PeerPackage.ts"
import type { Criterion, Finding } from "../plugin/Criterion.ts"
import type { FactFields, FactRecord, FactValues } from "../plugin/Fact.ts"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import { USUAL_SAMPLE } from "../evidence/AuditBudget.ts"
import { fetchedIn } from "../evidence/Journal.ts"
import { limitsOf } from "../external/ExternalLimits.ts"
import { describeExternal, type ExternalReference } from "../external/ExternalPlugin.ts"
import { resolveExternal } from "../external/ExternalPlugins.ts"
import {
  type CaseResult,
  type CriterionEntry,
  criterionEntryOf,
  type MeasuredRun,
  type Ordeal,
  type OrdealName,
  ordeals,
  paddedSites,
  resultOfLevel,
  runCriterion,
  type RunOptions,
  runSubject
} from "./CriterionRun.ts"
import { FAKE_HOST, type FakeSite } from "./FakeSite.ts"

requirePeer({ user: "docgauge/testing", name: "vitest", oldest: "5.0" }, import.meta.url)

/** A small site and the expected result of a criterion. */
export interface CriterionCase<Fields extends FactFields, Params extends Schema.Struct.Fields> {
  /** Unique; what is special about the site. */
  readonly name: string
  readonly site: FakeSite
  /** The audited URL, absolute or a path; `/` by default. */
  readonly url?: string
  /** Instead of the rubric's. */
  readonly params?: Partial<Schema.Struct.Type<Params>>
  readonly limits?: Partial<FetchLimits>
  readonly date?: string
  readonly sampleSize?: number
  readonly earns: CaseResult
  /** Required facts; others may have any value. */
  readonly facts?: Partial<FactValues<Fields>>
  /** Each must match a finding. */
  readonly findings?: ReadonlyArray<ExpectedFinding>
}

export interface ExpectedFinding {
  /** Part of the message. */
  readonly says?: string
  /** The requested URL, absolute or a path. */
  readonly proof?: string
  readonly good?: boolean
}

export interface CriterionSuite<Fields extends FactFields, Params extends Schema.Struct.Fields> {
  readonly cases: ReadonlyArray<CriterionCase<Fields, Params>>
  /** The rubric file that has the plugin's entry; this package's own by default. */
  readonly rubric?: string | URL
  /** Exceptions for broken sites (`ordeals`) whose result is neither 0 points nor inconclusive; say why in a comment. */
  readonly ordeals?: Readonly<Partial<Record<OrdealName, CaseResult>>>
}

/**
 * Tests a criterion's plugin with the rubric's own entry for it. In a vitest file:
 *
 * ```ts
 * testCriterion(a1LlmsTxt, {
 *   cases: [
 *     {
 *       name: "an HTML page",
 *       site: { "/": "<h1>Docs</h1>", "/llms.txt": "<!doctype html><title>App</title>" },
 *       earns: 0,
 *       facts: { h1: 0 },
 *       findings: [{ says: "returns an HTML page", proof: "/llms.txt" }]
 *     }
 *   ]
 * })
 * ```
 *
 * Every case runs twice as in a real audit, with responses arriving in different orders. The suite fails for two cases with
 * one name, levels of the rubric's entry that no case reaches, findings whose proof was not fetched in that audit, and
 * results that differ between the two runs, and what an audit refuses or alters: no finding, facts that are not declared, long
 * messages or such with line breaks and invisible characters. A plugin that the rubric names by its module runs in a thread
 * without a network, files or environment of its own, as in an audit. The first case of each level with points runs again with more
 * pages, some of which do not answer: a plugin that takes them for pages without what it looks for fails. The plugin also runs on broken sites (`ordeals`), where it must not crash or earn
 * points.
 */
export const testCriterion = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  suite: CriterionSuite<Fields, Params>
): void => {
  const entry = criterionEntryOf(criterion, suite.rubric)
  const timeout = entry.external === null ? undefined : EXTERNAL_TIMEOUT_MS
  describe(`${entry.id} ${criterion.id}`, () => {
    test("its cases have unique names and reach every level", () => {
      expectNone(suiteFaults(entry, suite.cases))
    })
    describe("cases", () => {
      for (const example of suite.cases) {
        test(example.name, async () => expectNone(await caseFaults(criterion, entry, example)), timeout)
      }
    })
    const best = bestCases(entry, suite.cases)
    // Without a case that earns points, which is told above, there is nothing to try.
    if (best.length > 0)
      describe("missing responses", () => {
        for (const example of best) {
          test(example.name, async () => expectNone(await forgetfulFaults(criterion, entry, example)), timeout)
        }
      })
    describe("ordeals", () => {
      for (const ordeal of ordeals) {
        test(
          ordeal.name,
          async () => expectNone(await ordealFaults(criterion, entry, ordeal, suite.ordeals?.[ordeal.name])),
          timeout
        )
      }
    })
  })
}

/** Each run of an external plugin starts a thread. */
const EXTERNAL_TIMEOUT_MS = 60_000

/** Fails with all sentences, where vitest would print `[ Array(1) ]`. */
const expectNone = (faults: ReadonlyArray<string>): void => expect(faults, faults.join("\n")).toEqual([])

/** What is wrong with a set of cases; one sentence each. */
export const suiteFaults = (
  entry: CriterionEntry,
  cases: ReadonlyArray<{ readonly name: string; readonly earns: CaseResult }>
): ReadonlyArray<string> => {
  const names = cases.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  const missed = entry.levels.filter((level) => !cases.some((example) => example.earns === resultOfLevel(level)))
  return [
    ...repeated.map((name) => `two cases are named "${name}"`),
    ...missed.map(({ earns, status }) => `no case reaches the level "${status}" with ${earns} points`)
  ]
}

/** What is wrong with the results of one case; one sentence each. */
export const caseFaults = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: CriterionEntry,
  example: CriterionCase<Fields, Params>
): Promise<ReadonlyArray<string>> => {
  const { params = {}, ...circumstances } = example
  const measured = (seed: number) =>
    measuredAsInAudit(criterion, entry, { ...entry.params, ...params }, { ...circumstances, seed })
  const run = await measured(1)
  // A plugin that failed has no result that could be wrong.
  if (run.facts === null && run.faults.length > 0) return run.faults
  const again = await measured(2)
  const result = resultOf(entry, run)
  return [
    ...(result === example.earns
      ? []
      : [`earns ${result} instead of ${example.earns}: ${run.findings[0].message} ${factsShown(run)}`]),
    ...wrongFacts(run.facts, example.facts ?? {}),
    ...(example.findings ?? [])
      .filter((expected) => !run.findings.some((finding) => meets(finding, expected)))
      .map((expected) => `no finding ${JSON.stringify(expected)} among ${outline(run)}`),
    ...run.faults,
    ...unproven(run),
    ...differences(run, again)
  ]
}

/** The first case of each level that earns points. */
const bestCases = <Case extends { readonly earns: CaseResult }>(
  { levels }: CriterionEntry,
  cases: ReadonlyArray<Case>
): ReadonlyArray<Case> =>
  levels.flatMap(({ earns }) => (earns > 0 ? (cases.find((example) => example.earns === earns) ?? []) : []))

/**
 * What shows that a plugin forgets missing responses; one sentence. The site of the case gets pages like its start page, of which
 * some do not answer: what these are must not matter, or the result must be inconclusive.
 */
export const forgetfulFaults = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: CriterionEntry,
  { params = {}, site, ...circumstances }: CriterionCase<Fields, Params>
): Promise<ReadonlyArray<string>> => {
  const run = (site: FakeSite) =>
    measuredAsInAudit(
      criterion,
      entry,
      { ...entry.params, ...params },
      { ...circumstances, site, sampleSize: USUAL_SAMPLE, seed: 1 }
    )
  for (const { count, missing, other, whole } of paddedSites(site)) {
    const left = await run(missing)
    const result = resultOf(entry, left)
    if (result === "inconclusive") continue
    const possible = [resultOf(entry, await run(whole)), resultOf(entry, await run(other))]
    if (possible.some((one) => one !== result && one !== "inconclusive"))
      return [forgetful(count, result, possible, left)]
  }
  return []
}

const forgetful = (count: number, result: CaseResult, possible: ReadonlyArray<CaseResult>, run: Run): string =>
  `earns ${result} where ${count} of 14 pages did not answer (503), though with these pages it may earn ${[...new Set(possible)].join(" or ")}: ` +
  `return \`uncertain\` and \`unanswered\`, or use defineShare. ${run.findings[0].message}`

/** What is wrong with the result of an ordeal; one sentence each. */
export const ordealFaults = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: CriterionEntry,
  { limits = {}, site }: Ordeal,
  expected?: CaseResult
): Promise<ReadonlyArray<string>> => {
  const run = await measuredAsInAudit(criterion, entry, entry.params, { site, limits, seed: 1 })
  if (run.facts === null && run.faults.length > 0) return run.faults
  const result = resultOf(entry, run)
  const right = expected === undefined ? result === 0 || result === "inconclusive" : result === expected
  return [
    ...(right
      ? []
      : [`earns ${result} instead of ${expected ?? "nothing"}: ${run.findings[0].message} ${factsShown(run)}`]),
    ...run.faults,
    ...unproven(run)
  ]
}

type Run = MeasuredRun<FactRecord>

const factsShown = ({ facts }: Run): string => (facts === null ? "(no facts)" : JSON.stringify(facts))

/**
 * A plugin that the rubric names by its module is run as an audit runs it: from that module, in a thread of its own with
 * the engine's limits, where there is no network, no file system and no environment.
 */
const measuredAsInAudit = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  entry: CriterionEntry,
  params: Readonly<Record<string, unknown>>,
  options: RunOptions
): Promise<Run> => {
  if (entry.external === null) return Effect.runPromise(runCriterion(criterion, entry.id, params, options))
  const reference = Result.getOrThrowWith(
    resolveExternal(entry.external.name, entry.external.rubricFile),
    (message) => new Error(message)
  )
  const { bind, facts: fields } = await described(reference, params)
  const { budget, measure } = Result.getOrThrow(bind(params))
  return Effect.runPromise(runSubject({ budget, fields, measure }, entry.id, options))
}

const OUTSIDE_LIMITS = limitsOf(60)

/** Descriptions by module, export and params: each takes a thread of its own, and a suite asks for the same one many times. */
const descriptions = new Map<string, ReturnType<typeof describeNow>>()

const described = (reference: ExternalReference, params: unknown): ReturnType<typeof describeNow> => {
  const key = JSON.stringify([reference.module.href, reference.exported, params])
  const known = descriptions.get(key) ?? describeNow(reference, params)
  descriptions.set(key, known)
  return known
}

const describeNow = (reference: ExternalReference, params: unknown) =>
  Effect.runPromise(describeExternal(reference, params, OUTSIDE_LIMITS))

const resultOf = (entry: CriterionEntry, run: Run): CaseResult =>
  run.facts === null ? "inconclusive" : entry.earns(run.facts, run.uncertain)

const wrongFacts = (
  facts: Readonly<Record<string, unknown>> | null,
  expected: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  Object.entries(expected)
    .filter(([name, value]) => facts?.[name] !== value)
    .map(([name, value]) => `${name} is ${JSON.stringify(facts?.[name])} instead of ${JSON.stringify(value)}`)

const meets = (finding: Finding, expected: ExpectedFinding): boolean =>
  (expected.says === undefined || finding.message.includes(expected.says)) &&
  (expected.proof === undefined || finding.proof.asked.url === new URL(expected.proof, FAKE_HOST).href) &&
  (expected.good === undefined || finding.good === expected.good)

const unproven = ({ findings, journal }: Run): ReadonlyArray<string> =>
  findings
    .filter(({ proof }) => !fetchedIn(journal)(proof))
    .map(({ message, proof }) => `"${message}" cites ${proof.url}, which was not fetched`)

/** The part of a result that must not depend on the order of responses. */
const outline = ({ facts, findings, uncertain }: Run): string =>
  JSON.stringify(
    {
      facts,
      uncertain,
      findings: findings.map(({ good, message, proof }) => [good, message, proof.asked.url, proof.url])
    },
    null,
    1
  )

const differences = (one: Run, other: Run): ReadonlyArray<string> =>
  outline(one) === outline(other)
    ? []
    : [`another order of responses gives another result: ${outline(one)} and ${outline(other)}`]
