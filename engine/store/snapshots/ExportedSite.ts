import type { CriterionOutcome, OutcomeState } from "../corpus/OutcomeCounts.ts"
import { type NamedFigures, summaryOf } from "../corpus/SiteFigures.ts"

/** What rubrics are called, by their digests; a version is such as `3.0.0`. */
export type RubricVersions = ReadonlyMap<string, { readonly id: string; readonly version: string }>

/** A site in what can be downloaded: a line of NDJSON, with the fields of `SiteSummary` in the contract. */
interface ExportedSite {
  readonly base_url: string
  readonly canonical_url: string
  readonly latest_run_id: string | null
  readonly reliable: boolean
  readonly run_count: number
  readonly first_run_at: string
  readonly latest_run_at: string
  readonly latest_score: number
  readonly best_score: number
  readonly worst_score: number
  readonly avg_score: number
  /** The points of the criteria that apply to the site. */
  readonly applicable_points: number
  /** Such as `docusaurus`; `null`: not known. */
  readonly generator: string | null
  /** Id and version are `null` of a rubric that this service does not know. */
  readonly rubric: { readonly id: string | null; readonly version: string | null; readonly digest: string }
  /** By the newest counted run; empty if its outcomes are not known. */
  readonly criteria: Readonly<
    Record<string, { readonly state: OutcomeState; readonly score: number; readonly max: number }>
  >
}

export const exportedSite = (
  figures: NamedFigures,
  outcomes: ReadonlyArray<CriterionOutcome>,
  generator: string | null,
  rubrics: RubricVersions
): ExportedSite => {
  const summary = summaryOf(figures)
  const rubric = rubrics.get(figures.latestRubric)
  return {
    base_url: summary.site,
    canonical_url: summary.url,
    latest_run_id: summary.latestRunId,
    reliable: summary.reliable,
    run_count: summary.runCount,
    first_run_at: summary.firstRunAt,
    latest_run_at: summary.latestRunAt,
    latest_score: summary.latestScore,
    best_score: summary.bestScore,
    worst_score: summary.worstScore,
    avg_score: summary.averageScore,
    applicable_points: summary.applicablePoints,
    generator,
    rubric: { id: rubric?.id ?? null, version: rubric?.version ?? null, digest: figures.latestRubric },
    criteria: Object.fromEntries(outcomes.map(({ id, max, score, state }) => [id, { state, score, max }]))
  }
}

/** The sites as lines of NDJSON. */
export const ndjsonOf = (sites: ReadonlyArray<ExportedSite>): string =>
  sites.map((site) => `${JSON.stringify(site)}\n`).join("")

/** The columns before those of the criteria. */
const COLUMNS = [
  "base_url",
  "canonical_url",
  "latest_run_id",
  "reliable",
  "run_count",
  "first_run_at",
  "latest_run_at",
  "latest_score",
  "best_score",
  "worst_score",
  "avg_score",
  "applicable_points",
  "generator"
] as const satisfies ReadonlyArray<keyof ExportedSite>

/** The header of CSV (RFC 4180) with these criteria: of each its state, its points and the most that it can earn. */
export const csvHeader = (criteria: ReadonlyArray<string>): string =>
  csvRecord([
    ...COLUMNS,
    "rubric_id",
    "rubric_version",
    "rubric_digest",
    ...criteria.flatMap((id) => [id, `${id}_score`, `${id}_max`])
  ])

/** The sites as records below such a header; what does not concern a site is empty. */
export const csvOf = (sites: ReadonlyArray<ExportedSite>, criteria: ReadonlyArray<string>): string =>
  sites
    .map((site) =>
      csvRecord([
        ...COLUMNS.map((column) => site[column]),
        site.rubric.id,
        site.rubric.version,
        site.rubric.digest,
        ...criteria.flatMap((id) => {
          const found = site.criteria[id]
          return found === undefined ? [null, null, null] : [found.state, found.score, found.max]
        })
      ])
    )
    .join("")

type CsvValue = string | number | boolean | null

const csvRecord = (values: ReadonlyArray<CsvValue>): string => `${values.map(csvField).join(",")}\r\n`

/** A spreadsheet would run text that begins so as a formula: the apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r]/

export const csvField = (value: CsvValue): string => {
  if (typeof value !== "string") return value === null ? "" : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
