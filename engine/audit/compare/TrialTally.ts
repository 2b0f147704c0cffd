import type { FactRecord } from "../../plugin/Fact.ts"
import type { LoadedCriterion } from "../../rubric/RubricFile.ts"
import type { ReplayedRun, StoredReport } from "../StoredRun.ts"
import type { CriterionStatus } from "../Report.ts"
import type { Rejudgement } from "./RubricShift.ts"

/** What runs say of one criterion on trial. */
export interface TrialSummary {
  readonly id: string
  readonly title: string
  /** What it would be worth. */
  readonly points: number
  readonly statuses: Readonly<Record<TrialStatus, number>>
  /** The first sites of each status, at most `SITES_NAMED`. */
  readonly sites: Readonly<Record<TrialStatus, ReadonlyArray<string>>>
  /** Of the runs that it was measured in, as far as it applies and could be checked. */
  readonly facts: ReadonlyArray<FactSummary>
}

/** How the values of one fact are spread over runs. */
export type FactSummary =
  | {
      readonly kind: "number"
      readonly name: string
      readonly runs: number
      /** Least, first quartile, median, third quartile, most. */
      readonly quartiles: readonly [number, number, number, number, number]
    }
  | { readonly kind: "flag"; readonly name: string; readonly runs: number; readonly held: number }
  | {
      readonly kind: "word"
      readonly name: string
      readonly runs: number
      /** How many runs have which value; the most frequent first. */
      readonly words: ReadonlyArray<{ readonly word: string; readonly runs: number }>
    }

/** Sites of a status that are named at most. */
const SITES_NAMED = 10

/** Values of a fact that are kept at most: the spread of more is that of the first ones. */
const VALUES = 10_000

interface TrialTally {
  readonly add: (site: string, trials: ReadonlyArray<TrialOutcome>) => void
  /** In the order of the rubric. */
  readonly summary: () => ReadonlyArray<TrialSummary>
}

type Value = FactRecord[string]

/** What is known of one criterion so far. */
interface Counted {
  readonly trial: TrialOutcome
  readonly sites: Record<TrialStatus, Array<string>>
  readonly statuses: Record<TrialStatus, number>
  readonly values: Map<string, Array<Value>>
}

const EVERY: ReadonlyArray<TrialStatus> = [
  "present",
  "partial",
  "absent",
  "inconclusive",
  "not_applicable",
  "not_measured"
]

export const makeTrialTally = (): TrialTally => {
  const counted = new Map<string, Counted>()
  return {
    add: (site, trials) => {
      for (const trial of trials) {
        const known = counted.get(trial.id) ?? emptyFor(trial)
        counted.set(trial.id, known)
        known.statuses[trial.status] += 1
        if (known.sites[trial.status].length < SITES_NAMED) known.sites[trial.status].push(site)
        if (EVERY.indexOf(trial.status) <= EVERY.indexOf("absent")) addFacts(known.values, trial.facts ?? {})
      }
    },
    summary: () =>
      [...counted.values()].map(({ sites, statuses, trial: { id, points, title }, values }) => ({
        id,
        title,
        points,
        statuses,
        sites,
        facts: [...values].map(([name, each]) => factSummary(name, each))
      }))
  }
}

const emptyFor = (trial: TrialOutcome): Counted => ({
  trial,
  statuses: { present: 0, partial: 0, absent: 0, inconclusive: 0, not_applicable: 0, not_measured: 0 },
  sites: { present: [], partial: [], absent: [], inconclusive: [], not_applicable: [], not_measured: [] },
  values: new Map()
})

const addFacts = (values: Map<string, Array<Value>>, facts: FactRecord): void => {
  for (const [name, value] of Object.entries(facts)) {
    const known = values.get(name) ?? []
    values.set(name, known)
    if (known.length < VALUES) known.push(value)
  }
}

/** The first value tells the kind: a fact has one kind. */
const factSummary = (name: string, values: ReadonlyArray<Value>): FactSummary => {
  const runs = values.length
  const kind = typeof values[0]
  if (kind === "boolean") return { kind: "flag", name, runs, held: values.filter((value) => value === true).length }
  if (kind === "string") {
    const words = [...Map.groupBy(values, String)].map(([word, group]) => ({ word, runs: group.length }))
    return { kind: "word", name, runs, words: words.toSorted((one, other) => other.runs - one.runs) }
  }
  const sorted = values.filter((value) => typeof value === "number").toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return { kind: "number", name, runs, quartiles: [at(0), at(0.25), at(0.5), at(0.75), at(1)] }
}

/** What came of a criterion on trial: a status, or why there is none that counts. */
export type TrialStatus =
  | CriterionStatus
  /** It needs an HTTP API, and nothing suggests that the site has one. */
  | "not_applicable"
  /** The run has no facts of it, and its archive has not what it asks for. */
  | "not_measured"

export interface TrialOutcome {
  readonly id: string
  readonly title: string
  readonly status: TrialStatus
  /** What it would earn if it were promoted. */
  readonly earns: number
  /** What it could earn. */
  readonly points: number
  /** `null`: not measured, or we could not check it. */
  readonly facts: FactRecord | null
}

type StoredResult = StoredReport["experimental"][number]

/** What a run says of a criterion on trial, by its stored facts or those of its replay. */
export const trialOutcome = (
  { definition: { id, points, title } }: LoadedCriterion<unknown>,
  verdict: Rejudgement,
  stored: StoredResult | undefined,
  replayed: ReplayedRun | null
): TrialOutcome => {
  if (typeof verdict !== "string") {
    const status = isInapplicable(stored) ? "not_applicable" : verdict.status
    return { id, title, points, status, earns: verdict.earns, facts: stored?.measured.facts ?? null }
  }
  const again = replayed === null || isWanting(id, replayed) ? undefined : resultIn(replayed, id)
  if (again === undefined) return { id, title, points, status: "not_measured", earns: 0, facts: null }
  const status = isInapplicable(again) ? "not_applicable" : again.status
  return { id, title, points, status, earns: again.score, facts: again.measured.facts }
}

const isInapplicable = (result: StoredResult | undefined): boolean => result?.applicable === false

/** Whether the archive lacks, or has cut, what a criterion reads. */
const isWanting = (id: string, { cut, lacking }: ReplayedRun): boolean => cut.includes(id) || lacking.has(id)

const resultIn = ({ report }: ReplayedRun, id: string): StoredResult | undefined =>
  report.experimental.find((result) => result.id === id)
