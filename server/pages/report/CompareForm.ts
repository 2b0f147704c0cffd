import { scoreWords } from "../../../engine/criterion/Wording.ts"
import { type Content, html } from "../kit/Html.ts"
import { minuteText } from "../kit/Moments.ts"
import type { ScoredRun } from "./ReportView.ts"

/** A form to choose an earlier run to compare with; empty without one. Works without a script. */
export const compareForm = (runId: string, earlier: ReadonlyArray<ScoredRun>, chosen?: string): Content =>
  earlier.length === 0
    ? null
    : html`
    <form class="compare-form no-print" action=${`/r/${runId}/compare`} method="get">
      <label for="baseline">Compare with an earlier audit</label>
      <div class="field-row">
        <select id="baseline" name="baseline">
          ${earlier.toReversed().map(
            ({ id, reliable, score, startedAt }) => html`
            <option value=${id} selected=${id === chosen}>${minuteText(startedAt)}, ${scoreWords(score, reliable)} points</option>`
          )}
        </select>
        <button class="button button-quiet" type="submit">Compare</button>
      </div>
    </form>`
