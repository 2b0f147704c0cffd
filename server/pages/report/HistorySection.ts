import { changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import { haveOneMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { minute, minuteText } from "../kit/Moments.ts"
import { sitePath } from "../kit/PageQuery.ts"
import { counted, signed } from "../../../engine/criterion/Wording.ts"
import { type TimeMark, timeChart } from "../charts/TimeChart.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { scoreNumber } from "../kit/ScoreBar.ts"
import { compareForm } from "./CompareForm.ts"
import type { ReportView } from "./ReportView.ts"

/** Rows of the table; the site's page lists all runs. */
const ROWS = 10

/** The site's scores over time, with changes of the rubric marked, and the runs to compare with. Empty for a first run. */
export const historySection = (view: ReportView): Content => {
  const { history, run } = view
  if (history.length < 2) return null
  return html`
    <section data-service aria-labelledby="history">
      <h2 id="history">History</h2>
      ${view.change === null ? null : html`<p>${changeText(view.change, minuteText(view.change.startedAt))} <a href=${`/r/${run.id}/compare`}>Compare the two</a></p>`}
      ${timeChart({
        id: "history-chart",
        title: "Scores of the site over time",
        moments: history.map(({ id, reliable, score, startedAt }) => ({
          at: startedAt,
          value: score,
          isHere: id === run.id,
          isReliable: reliable
        })),
        marks: rubricMarks(view)
      })}
      ${historyTable(view)}
      ${compareForm(
        run.id,
        history.filter(({ startedAt }) => startedAt < run.startedAt)
      )}
    </section>`
}

/** Marks where a run used a different rubric than the one before it. */
const rubricMarks = ({ history, versions }: ReportView): ReadonlyArray<TimeMark> =>
  history.flatMap(({ rubricDigest, startedAt }, index) => {
    const before = history[index - 1]
    if (before === undefined || before.rubricDigest === rubricDigest) return []
    const version = versions.get(rubricDigest)
    return [{ at: startedAt, label: version === undefined ? "Rubric changed" : `Rubric ${version}` }]
  })

const historyTable = ({ history, run, versions }: ReportView): VNode => {
  const rows = history
    .map((scored, index) => ({ scored, before: history[index - 1] ?? null }))
    .toReversed()
    .slice(0, ROWS)
  return html`
    <div class="table-scroll">
      <table class="history">
        <caption>${rows.length < history.length ? `The newest ${ROWS} of ` : null}${counted(history.length, "finished audit")}, newest first. <a href=${sitePath(run.site)}>All audits of the site</a></caption>
        ${columns(["rest", "figure", "figure", "points"])}
        <thead>
          <tr><th scope="col">When (UTC)</th><th scope="col" class="number">Score</th><th scope="col" class="number">Change</th><th scope="col">Rubric</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ before, scored }) => html`
            <tr aria-current=${scored.id === run.id ? "true" : undefined}>
              <th scope="row">${scored.id === run.id ? html`${minute(scored.startedAt)} <span class="soft">(this one)</span>` : html`<a href=${`/r/${scored.id}`}>${minute(scored.startedAt)}</a>`}</th>
              <td class="number">${scoreNumber(scored.score, scored.reliable)}</td>
              <td class="number">${before === null || !haveOneMajor(before, scored, versions) ? "–" : signed(scored.score - before.score)}</td>
              <td>${versions.get(scored.rubricDigest) ?? "another"}</td>
            </tr>`
          )}
        </tbody>
      </table>
    </div>`
}
