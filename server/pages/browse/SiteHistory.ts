import * as Effect from "effect/Effect"
import { haveOneMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { counted } from "../../../engine/plugin/Wording.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { CriterionOutcome, OutcomeState } from "../../../engine/store/corpus/OutcomeCounts.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { JudgedRun, RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { type Moment, timeChart, type TimeMark } from "../charts/Charts.ts"
import { codedText, dayAndMonth } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"

/** A run in the list of a site's runs. */
export interface ListedRun {
  readonly run: Run
  /** The finished run before it, if known. */
  readonly before: Run | null
  /** Whether the scores of the two compare: `false` if other major versions of the rubric judged them, or if that is not known. */
  readonly compares: boolean
}

/** A site and its runs. */
export interface SiteHistory {
  readonly site: string
  /** Its newest finished run; `null` without one. */
  readonly newest: Run | null
  /** The newest finished runs that were read, oldest first. */
  readonly scored: ReadonlyArray<Run>
  /** Of those, the reliable ones whose scores compare with that of the newest run. */
  readonly alike: ReadonlyArray<Run>
  /** Whether there are runs older than those. */
  readonly more: boolean
  /** The newest finished runs with their outcomes by criterion, newest first; empty on later pages. */
  readonly judged: ReadonlyArray<JudgedRun>
  /** The requested page of runs, newest first. */
  readonly listed: ReadonlyArray<ListedRun>
  /** Whether the page is not the first one. */
  readonly isLater: boolean
  /** The cursor of the next page (RFC 3339); `null`: no further pages. */
  readonly next: string | null
}

/** Runs per page. */
const PAGE_RUNS = 25

/** Runs in the chart and the figures. */
const CHART_RUNS = 100

/** Additional runs to read, to find the finished run before the page's last. */
const LOOK_AHEAD = 25

/**
 * A site's runs: the newest for its chart, and the page of those older than `before`. `null` if the site has none. `versions`: the
 * known versions of rubrics, by digest.
 */
export const readSiteHistory = Effect.fnUntraced(function* (
  history: RunHistory["Service"],
  versions: ReadonlyMap<string, string>,
  site: string,
  before: string | null
): Effect.fn.Return<SiteHistory | null, StoreUnavailable> {
  const chart = yield* history.page(site, null, CHART_RUNS)
  if (chart.runs.length === 0) return null
  const older = before === null ? chart : yield* history.page(site, before, PAGE_RUNS + LOOK_AHEAD)
  const page = older.runs.slice(0, PAGE_RUNS)
  const scored = chart.runs.filter(({ status }) => status === "done")
  const newest = scored[0] ?? (yield* history.newest(site))
  return {
    site,
    newest,
    scored: scored.toReversed(),
    alike: scored.filter((run) => run.reliable === true && newest !== null && haveOneMajor(run, newest, versions)),
    more: chart.next !== null,
    judged: before === null ? yield* history.judged(site, JUDGED_RUNS) : [],
    listed: page.map((run, index) => {
      const before = older.runs.slice(index + 1).find(({ status }) => status === "done") ?? null
      return { run, before, compares: before !== null && haveOneMajor(before, run, versions) }
    }),
    isLater: before !== null,
    next: older.runs.length > PAGE_RUNS || older.next !== null ? (page.at(-1)?.startedAt ?? null) : null
  }
})

/** Audits in the table, and how many of them have room on a phone. */
const JUDGED_RUNS = 10
const ON_A_PHONE = 4

const STATE_WORDS: Readonly<Record<OutcomeState, string>> = {
  present: "present",
  partial: "partial",
  absent: "absent",
  inconclusive: "could not be checked",
  not_applicable: "does not apply"
}

interface CriterionRow {
  readonly id: string
  readonly title: string
  /** Oldest first; `undefined`: that audit's rubric did not have the criterion. */
  readonly outcomes: ReadonlyArray<CriterionOutcome | undefined>
}

/** The points of each criterion in a site's newest audits, those that changed first. Empty without two audits whose outcomes are known. */
export const criterionHistory = (
  judged: ReadonlyArray<JudgedRun>,
  { categories }: Pick<Rubric, "categories">
): Content => {
  const runs = judged.filter(({ outcomes }) => outcomes.length > 0).toReversed()
  if (runs.length < 2) return null
  const rows = categories
    .flatMap(({ criteria }) => criteria)
    .map(({ id, title }): CriterionRow => ({
      id,
      title,
      outcomes: runs.map(({ outcomes }) => outcomes.find((outcome) => outcome.id === id))
    }))
    .filter(({ outcomes }) => outcomes.some((outcome) => outcome !== undefined))
  const [changed, same] = [rows.filter(hasChanged), rows.filter((row) => !hasChanged(row))]
  return html`
    <section aria-labelledby="by-criterion">
      <h2 id="by-criterion">Criteria over time</h2>
      ${
        changed.length === 0
          ? html`<p>No criterion changed in the last ${counted(runs.length, "audit")}.</p>`
          : matrix(
              runs,
              changed,
              `Points of the ${changed.length === 1 ? "criterion" : counted(changed.length, "criterion", "criteria")} that changed in the last ${counted(runs.length, "audit")}, oldest first`
            )
      }
      ${
        same.length === 0
          ? null
          : html`
        <details>
          <summary>${counted(same.length, "criterion", "criteria")} that stayed the same</summary>
          ${matrix(runs, same, `Points of the criteria that stayed the same in the last ${counted(runs.length, "audit")}, oldest first`)}
        </details>`
      }
    </section>`
}

const hasChanged = ({ outcomes }: CriterionRow): boolean =>
  new Set(outcomes.map((outcome) => (outcome === undefined ? "" : `${outcome.state} ${outcome.score}`))).size > 1

const matrix = (runs: ReadonlyArray<JudgedRun>, rows: ReadonlyArray<CriterionRow>, caption: string): VNode => {
  const isTimed = shareDay(runs)
  const roomOf = (index: number): string => (index < runs.length - ON_A_PHONE ? " roomy" : "")
  return html`
    <table class=${isTimed ? "matrix matrix-timed" : "matrix"}>
      <caption>${caption}</caption>
      <colgroup><col/>${runs.map((_, index) => html`<col class=${`col-cell${roomOf(index)}`}/>`)}</colgroup>
      <thead>
        <tr>
          <th scope="col">Criterion</th>
          ${runs.map(({ run }, index) => html`<th scope="col" class=${`matrix-when${roomOf(index)}`}>${headingOf(run, isTimed)}</th>`)}
        </tr>
      </thead>
      <tbody>${rows.map(
        ({ id, outcomes, title }) => html`
        <tr data-key=${id}>
          <th scope="row"><a href=${`/rubric/${id}`}><span class="criterion-id">${id}</span> ${codedText(title)}</a></th>
          ${outcomes.map((outcome, index) => html`<td class=${`matrix-cell${roomOf(index)}`}>${cell(outcome)}</td>`)}
        </tr>`
      )}
      </tbody>
    </table>`
}

/** An unreliable audit's points are the least that its criteria earn. */
const headingOf = ({ id, reliable, startedAt }: Run, isTimed: boolean): VNode =>
  reliable === true
    ? html`<a href=${`/r/${id}`}>${dayAndMonth(startedAt, isTimed)}</a>`
    : html`<a class="matrix-unreliable" href=${`/r/${id}`}>${dayAndMonth(startedAt, isTimed)}<span aria-hidden="true"> ≥</span><span class="visually-hidden"> (not reliable)</span></a>`

const dayOf = ({ run }: JudgedRun): string => run.startedAt.slice(0, 10)

/** Whether the day alone does not tell two audits apart. */
const shareDay = (runs: ReadonlyArray<JudgedRun>): boolean => new Set(runs.map(dayOf)).size < runs.length

const cell = (outcome: CriterionOutcome | undefined): Content => {
  if (outcome === undefined) return html`<span class="visually-hidden">not in the rubric</span>`
  const { max, score, state } = outcome
  const text = state === "inconclusive" ? "?" : state === "not_applicable" ? "–" : score
  return html`<span class=${`cell cell-${state}`} title=${`${score} of ${max} points, ${STATE_WORDS[state]}`}>${text}<span class="visually-hidden"> of ${max} points, ${STATE_WORDS[state]}</span></span>`
}

interface ScoreLineProps {
  /** The chart's id on its page. */
  readonly id: string
  readonly site: string
  /** Oldest first; at least one. */
  readonly moments: ReadonlyArray<Moment>
  readonly marks?: ReadonlyArray<TimeMark>
}

/** With more points than this, dots of the usual size would cover the line on a phone. */
const MANY = 40

/** A site's score over time. */
export const scoreLine = ({ id, marks = [], moments, site }: ScoreLineProps): VNode => html`
  <div class=${moments.length > MANY ? "score-line dense" : "score-line"}>
    ${timeChart({ id, title: `Score of ${shownName(site).text} over time`, moments, marks })}
  </div>`
