import { URL } from "node:url"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { AuditReport, namesOfBoth } from "../../engine/audit/Report.ts"
import { differInMajor } from "../../engine/audit/compare/RubricShift.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/Files.ts"

/** A criterion with fewer points than in the baseline. */
interface LostPoints {
  readonly id: string
  readonly title: string
  readonly before: number
  readonly after: number
}

/** The criteria that lost points since the baseline, most points first; without those that could not be checked now. */
export const lostPoints = (report: AuditReport, baseline: AuditReport): ReadonlyArray<LostPoints> => {
  const after = new Map(report.criteria.map((criterion) => [criterion.id, criterion]))
  return baseline.criteria
    .flatMap(({ id, score: before, title }): ReadonlyArray<LostPoints> => {
      const now = after.get(id)
      return now === undefined || now.status === "inconclusive" || now.score >= before
        ? []
        : [{ id, title, before, after: now.score }]
    })
    .sort((one, other) => other.before - other.after - (one.before - one.after))
}

/** `B1 Each page has a Markdown version (5 → 0)`, for each. */
export const lostPointsText = (lost: ReadonlyArray<LostPoints>): string =>
  lost
    .map(({ after, before, id, title }) => `${plainText(id, 20)} ${plainText(title, 100)} (${before} → ${after})`)
    .join(", ")

/** How a report differs from its baseline. */
export interface BaselineChange {
  /** Score of the baseline. */
  readonly before: number
  /** Score of the report. */
  readonly after: number
  /** Criteria that lost points: also of interest where the total did not fall, because others gained them. */
  readonly lost: ReadonlyArray<LostPoints>
  /** The names of the rubrics of baseline and report, if they are not the same. */
  readonly rubrics: readonly [string, string] | null
  /** Whether the scores compare: `false` if the rubrics have other names or other major versions. */
  readonly compares: boolean
}

export const baselineChange = (report: AuditReport, baseline: AuditReport): BaselineChange => ({
  before: baseline.total_score,
  after: report.total_score,
  lost: lostPoints(report, baseline),
  rubrics: baseline.rubric.digest === report.rubric.digest ? null : namesOfBoth(baseline.rubric, report.rubric),
  compares: !differInMajor(baseline, report)
})

/** The change in a sentence or more, which begins in lower case. */
export const baselineChangeText = (change: BaselineChange): string => {
  const { after, before, compares, lost, rubrics } = change
  if (!compares) return acrossMajorsText(change)
  return [
    `the score was ${before} in the baseline and is ${after} now.`,
    ...(lost.length === 0 ? [] : [`Lost points: ${lostPointsText(lost)}.`]),
    ...(rubrics === null ? [] : [rubricsText(rubrics)])
  ].join(" ")
}

/** Points of different major versions do not compare, so no criterion is said to have lost some. */
export const acrossMajorsText = ({ after, before, rubrics }: BaselineChange): string => {
  const [from, to] = rubrics ?? ["another rubric", "this one"]
  return `the score was ${before} under ${from} and is ${after} under ${to}, which measures and weighs criteria differently. Record a new baseline to compare with.`
}

/** A new rubric changes scores without any change of the site. */
export const rubricsText = ([first, second]: readonly [string, string]): string =>
  `The baseline was judged by ${first}, this report by ${second}; docgauge compare tells their changes from the site's.`

/**
 * Fails if the baseline is the report of another site: the difference of their scores says nothing. The report of the production
 * site is a baseline for a preview of it (`--canonical-origin`).
 */
export const requireSameSite = (
  url: string,
  canonicalOrigin: string | null,
  baseline: AuditReport
): Effect.Effect<void, CliFailure> => {
  const sites = [url, ...(canonicalOrigin === null ? [] : [canonicalOrigin + new URL(url).pathname])].map(siteFormOf)
  if (URL.canParse(baseline.base_url) && sites.includes(siteFormOf(baseline.base_url))) return Effect.void
  const advice = canonicalOrigin === null ? " If this is a preview of that site, pass --canonical-origin as well." : ""
  return Effect.fail(
    wrongUsage(
      `the baseline is a report of ${plainText(baseline.base_url, 200)}, not of ${plainText(url, 200)}. Pass an earlier report of the same site.${advice}`
    )
  )
}

/** What the command line says to audit. */
interface Audited {
  readonly as: Option.Option<string>
  readonly url: Option.Option<string>
}

/** Reads a baseline. If there is none yet, as in the first build, the error says how to write it. */
export const readBaseline = (
  path: string,
  flags: Audited
): Effect.Effect<AuditReport, CliFailure, FileSystem.FileSystem> =>
  existsSync(path)
    ? readJsonFile(path, AuditReport, "a docgauge report in JSON")
    : Effect.fail(
        wrongUsage(
          `there is no baseline at ${plainText(path, 200)} yet. Write it once, and keep it: docgauge ${audited(flags)} --format json --output ${plainText(path, 200)}`
        )
      )

/** What is audited, as on a command line. */
const audited = ({ as, url }: Audited): string => {
  const site = plainText(
    Option.getOrElse(url, () => "https://docs.example.com"),
    200
  )
  return Option.match(as, {
    onNone: () => site,
    onSome: (publishedAt) => `${site} --as ${plainText(publishedAt, 200)}`
  })
}
