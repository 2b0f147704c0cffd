import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { RubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import type { DiffResponse } from "../../api/Runs.ts"
import { minute } from "../kit/Moments.ts"
import { counted, signed } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { scoreNumber } from "../kit/ScoreBar.ts"
import { rubricText, siteName } from "../kit/Audited.ts"
import { compareForm } from "./CompareForm.ts"
import type { ScoredRun } from "./ReportView.ts"
import { shiftNote } from "./ShiftNote.ts"
import { statusPill } from "./Tone.ts"

/** One side of a comparison. */
export interface ComparedRun {
  readonly run: ScoredRun
  readonly report: AuditReport
}

export interface RunComparison {
  readonly before: ComparedRun
  readonly after: ComparedRun
  readonly diff: DiffResponse
  /** What the rubric changed; `null` if both used the same rubric; `unknown` if that cannot be determined. */
  readonly shift: RubricShift | "unknown" | null
  /** Other runs to compare with, oldest first. */
  readonly earlier: ReadonlyArray<ScoredRun>
}

/** What changed between two audits of a site. */
export const comparePage = ({ after, before, diff, earlier, shift }: RunComparison): VNode => {
  const name = siteName(after.report.base_url)
  return layout({
    title: `${name}: what changed`,
    path: `/r/${after.run.id}/compare`,
    robots: "noindex",
    styles: ["report.css"],
    content: html`
      <article class="compare">
        <p class="eyebrow">What changed</p>
        <h1>${name}</h1>
        <p class="glance-change"><span class="figure">${figureOf(before)}</span> <span aria-hidden="true">→</span><span class="visually-hidden">to</span> <span class="figure">${figureOf(after)}</span> <strong data-delta>${signed(diff.total_delta)}</strong></p>
        <ul class="sides">
          ${side("Before", before)}
          ${side("After", after)}
        </ul>
        ${before.run.reliable && after.run.reliable ? null : html`<p class="warning">Not both scores are reliable, so the change isn't either.</p>`}
        ${shift === null ? null : shiftNote(before.report, after.report, shift)}
        ${compareForm(after.run.id, earlier, before.run.id)}
        ${categoryTable(diff, after.report)}
        ${criteria(diff, [after.report, before.report])}
      </article>`
  })
}

const figureOf = ({ report, run }: ComparedRun): Content => scoreNumber(report.total_score, run.reliable)

const side = (word: string, { report, run }: ComparedRun): VNode => html`
  <li>${word}: <a href=${`/r/${run.id}`}>${minute(run.startedAt)} UTC</a>, ${run.reliable ? report.verdict : "not reliable"}, rubric ${report.rubric.version}</li>`

const categoryTable = ({ categories }: DiffResponse, report: AuditReport): VNode => {
  const titles = new Map(Object.entries(report.categories).map(([key, { title }]) => [key.slice(0, 1), title]))
  return html`
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <div class="table-scroll">
        <table>
          <caption class="visually-hidden">Points by category in both audits</caption>
          ${columns(["rest", "points", "points", "figure"])}
          <thead><tr><th scope="col">Category</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col" class="number">Change</th></tr></thead>
          <tbody>${categories.map(({ delta, from, from_max, key, to, to_max }) => html`
            <tr data-key=${key}>
              <th scope="row">${titles.get(key) ?? key}</th>
              <td class="number">${from}<span class="soft"> / ${from_max}</span></td>
              <td class="number">${to}<span class="soft"> / ${to_max}</span></td>
              <td class="number">${change(delta)}</td>
            </tr>`)}
          </tbody>
        </table>
      </div>
    </section>`
}

const change = (delta: number): VNode => html`<span class=${delta === 0 ? "soft" : delta > 0 ? "gained" : "lost"}>${signed(delta)}</span>`

type CriterionChange = DiffResponse["criteria"][number]

const hasChanged = ({ delta, from_max, from_status, to_max, to_status }: CriterionChange): boolean =>
  delta !== 0 || from_status !== to_status || from_max !== to_max

const criteria = ({ criteria: all }: DiffResponse, reports: ReadonlyArray<AuditReport>): Content => {
  const titles = new Map(reports.toReversed().flatMap((report) => report.criteria.map(({ id, title }) => [id, title])))
  const changed = all.filter(hasChanged).sort((one, other) => Math.abs(other.delta) - Math.abs(one.delta))
  return html`
    <section aria-labelledby="criteria">
      <h2 id="criteria">Criteria</h2>
      ${changed.length === 0 ? html`<p>All ${all.length} criteria came out the same.</p>` : html`
        <div class="table-scroll" role="group" aria-label="Criteria that changed" tabindex="0">
          <table class="changed">
            <caption>${counted(changed.length, "criterion", "criteria")} changed, ${all.length - changed.length} came out the same</caption>
            ${columns(["rest", "status", "status", "figure"])}
            <thead><tr><th scope="col">Criterion</th><th scope="col">Before</th><th scope="col">After</th><th scope="col" class="number">Change</th></tr></thead>
            <tbody>${changed.map((criterion) => criterionRow(criterion, titles.get(criterion.key) ?? ""))}</tbody>
          </table>
        </div>`}
    </section>`
}

const criterionRow = ({ delta, from, from_max, from_status, key, to, to_max, to_status }: CriterionChange, title: string): VNode => html`
  <tr data-key=${key}>
    <th scope="row"><span class="criterion-id">${key}</span> ${rubricText(title)}</th>
    <td>${from_max === 0 ? html`<span class="soft">not in the rubric</span>` : html`${statusPill(from_status)} <span class="nowrap">${from} / ${from_max}</span>`}</td>
    <td>${to_max === 0 ? html`<span class="soft">not in the rubric</span>` : html`${statusPill(to_status)} <span class="nowrap">${to} / ${to_max}</span>`}</td>
    <td class="number">${change(delta)}</td>
  </tr>`
