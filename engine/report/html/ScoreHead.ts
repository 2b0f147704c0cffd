import { OVERLONG_LINKS } from "../../audit/Reliability.ts"
import { isApplicable } from "../../audit/FixFirst.ts"
import { type AuditReport, type CriterionResult, type Reliability, rubricName } from "../../audit/Report.ts"
import { counted, percent } from "../../plugin/Wording.ts"
import { coverageText, DOES_NOT_APPLY, type ReportView, type RubricWords } from "../ReportView.ts"
import { flagTexts } from "../SectionWords.ts"
import { categoryAnchor } from "./CriterionDetails.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { levelClass } from "./LevelColour.ts"
import { auditedLink, day, siteHeading } from "./Parts.ts"

/** What only the service knows about a score. */
export interface KnownAround {
  readonly newer: Content
  /** The time of day of the audit, after its date. */
  readonly time: Content
  readonly context: Content
  /** A link to the rubric that judged, after its name. */
  readonly rubric: Content
  readonly means: CategoryMeans | null
}

/** The head of a report: the site, warnings, score, level and verdict, how it compares, and the six categories. */
export const scoreHead = (view: ReportView, words: RubricWords, around: KnownAround | null): VNode => {
  const { report } = view
  const { max_score: max, reliability, total_score: score, verdict } = report
  const level = levelOf(report)
  return html`
  <header class="report-head">
    ${around?.newer}
    <p class="eyebrow">Agent readiness of</p>
    <h1>${siteHeading(report.base_url)}</h1>
    <p class="soft report-facts">
      ${auditedLink(report.base_url, "")} · audited ${day(report.audit_date)}${around?.time} · rubric ${rubricName(report.rubric)}${around?.rubric} · engine ${report.engine_version}
    </p>
    ${warnings(report)}
    <div class="glance">
      <div class="score">
        <p class=${reliability.reliable ? "score-figure" : "score-figure is-unreliable"}>${reliability.reliable ? null : html`<span>at least</span> `}<strong data-score>${score}</strong> <span>of ${max}</span></p>
        <p class=${`verdict ${level}`}>${reliability.reliable ? verdict : html`<span class="unreliable">Not reliable</span>`}</p>
        ${reliability.reliable ? meaning(words, report) : null}
        ${applicableScore(report)}
        ${around?.context}
      </div>
      <div>${categoryBars(view, around?.means ?? null)}</div>
    </div>
    ${ladder(words, report, level)}
  </header>`
}

/** The class of the colour of a report's score. */
export const levelOf = ({ max_score: max, reliability: { reliable }, total_score: score }: AuditReport): string =>
  levelClass(score, max, reliable)

/** The second score of a site to which not all criteria apply, because it has no HTTP API. */
const applicableScore = ({ applicable_score: applicable, max_score: all }: AuditReport): Content =>
  applicable === undefined || applicable.max === all || applicable.max === 0
    ? null
    : html`
    <p class="second-score"><strong>${applicable.score}</strong> of the ${applicable.max} points that apply (${percent(applicable.score / applicable.max)}), as we found no HTTP API.</p>`

const meaning = ({ verdicts }: RubricWords, { verdict }: AuditReport): Content => {
  const level = verdicts.find(({ word }) => word === verdict)
  return level === undefined ? null : html`<p class="soft">${level.meaning}</p>`
}

/** All levels, lowest first, with the reached one marked; none for an unreliable report. */
const ladder = ({ verdicts }: RubricWords, { reliability, verdict }: AuditReport, level: string): Content =>
  verdicts.length === 0
    ? null
    : html`
    <ol class="ladder" aria-label="Levels">
      ${verdicts.toReversed().map(
        ({ from, word }) => html`
        <li class=${word === verdict && reliability.reliable ? level : undefined} aria-current=${word === verdict && reliability.reliable ? "true" : undefined}>${word} <span><span class="from">from </span>${from}</span></li>`
      )}
    </ol>`

const REASONS: Readonly<Record<Reliability["skipped"][number]["reason"], string>> = {
  requests: "the request limit",
  bytes: "the byte limit",
  deadline: "the time limit",
  size: "the size limit of a response",
  unresponsive: "timeouts of the site",
  rate_limited: "the site's rate limit"
}

const totalOf = (skipped: Reliability["skipped"]): number => skipped.reduce((sum, { count }) => sum + count, 0)

/** Warnings about the reliability of the score, if there are any. */
const warnings = (report: Pick<AuditReport, "criteria" | "experimental" | "reliability">): Content => {
  const { reliable, skipped } = report.reliability
  const answers = skipped.filter(({ collector }) => collector !== OVERLONG_LINKS)
  const missing = totalOf(answers)
  const links = totalOf(skipped.filter(({ collector }) => collector === OVERLONG_LINKS))
  const reasons = [...new Set(answers.map(({ reason }) => REASONS[reason]))]
  const said = [
    ...flagTexts(report),
    ...[coverageText(report)].filter((text) => text !== ""),
    ...(missing === 0
      ? []
      : [
          `${counted(missing, "response")} ${missing === 1 ? "is" : "are"} missing or cut because of ${reasons.join(", ")}.`
        ]),
    ...(links === 0
      ? []
      : [
          `${counted(links, "link")} ${links === 1 ? "was" : "were"} left out: URLs of more than 4,096 characters aren't read.`
        ])
  ]
  if (reliable && said.length === 0) return null
  return html`
    <div class=${reliable ? "warning warning-mild" : "warning warning-strong"} role="note" aria-label="Reliability">
      <p><strong>${reliable ? "Notes on this score" : "Not reliable: read this score with care"}</strong></p>
      <ul>${said.map((text) => html`<li>${text}</li>`)}</ul>
    </div>`
}

/** The mean of each category over all sites whose criteria are known. */
export interface CategoryMeans {
  readonly sites: number
  /** Of the points of each category, by its letter: reports of other rubrics have other points. */
  readonly shares: Readonly<Record<string, number>>
}

/**
 * The points of each category as a bar: what was earned, what was lost, and apart from it what could not be checked or does not
 * apply. `means`, which only the service knows, are marked.
 */
const categoryBars = ({ categories }: ReportView, means: CategoryMeans | null): Content => [
  html`
    <ul class="category-bars" aria-label="Points by category">
      ${categories.map(({ criteria, key, letter, max, score, title }) =>
        barOf({
          letter,
          max,
          score,
          title,
          anchor: categoryAnchor(key),
          mean: means?.shares[letter] ?? null,
          unchecked: lostIn(criteria.filter(({ status }) => status === "inconclusive")),
          inapplicable: lostIn(criteria.filter((criterion) => !isApplicable(criterion)))
        })
      )}
    </ul>`,
  means === null
    ? null
    : html`<p class="soft small mean-key" data-service><span class="key-mean" aria-hidden="true"></span> mean of ${counted(means.sites, "site")}</p>`
]

const lostIn = (criteria: ReadonlyArray<CriterionResult>): number =>
  criteria.reduce((sum, { max, score }) => sum + max - score, 0)

interface BarRow {
  readonly anchor: string
  readonly letter: string
  readonly title: string
  readonly score: number
  readonly max: number
  /** A share of the points. */
  readonly mean: number | null
  /** Points that could not be checked. */
  readonly unchecked: number
  /** Points of criteria that do not apply. */
  readonly inapplicable: number
}

const percentage = (share: number): string => `${Math.round(share * 10_000) / 100}%`

const barOf = ({ anchor, inapplicable, letter, max, mean, score, title, unchecked }: BarRow): VNode => {
  const share = (points: number): string => percentage(points / Math.max(1, max))
  const judged = max - unchecked - inapplicable
  return html`
    <li>
      <span>
        <a href=${`#${anchor}`}>${title}</a>
        ${unchecked === 0 ? null : html` <span class="soft small">${counted(unchecked, "point")} not checked</span>`}
        ${inapplicable === 0 ? null : html` <span class="soft small">${inapplicable === max ? DOES_NOT_APPLY : `${counted(inapplicable, "point")} not applicable`}</span>`}
      </span>
      <span class="number">${inapplicable === max ? "–" : score}<span class="soft"> / ${max}</span></span>
      <svg width="100%" height="12" aria-hidden="true" focusable="false" data-category=${letter}>
        ${judged <= 0 ? null : html`<rect class="plot-track" y="2" width=${share(judged)} height="8" rx="4"/>`}
        ${score === 0 ? null : html`<rect class="plot-bar" y="2" width=${share(score)} height="8" rx="4"/>`}
        ${unchecked === 0 ? null : html`<line class="plot-unchecked" x1=${share(judged)} x2=${share(judged + unchecked)} y1="6" y2="6"/>`}
        ${inapplicable === 0 ? null : html`<line class="plot-inapplicable" x1=${share(judged + unchecked)} x2="100%" y1="6" y2="6"/>`}
        ${mean === null || judged <= 0 ? null : html`<line class="plot-mean" data-service x1=${percentage(mean)} x2=${percentage(mean)} y1="0" y2="12"/>`}
      </svg>
    </li>`
}
