import { scoreWords } from "../../../engine/criterion/Wording.ts"
import { type Content, html } from "../kit/Html.ts"
import type { ScoredRun } from "./ReportView.ts"

const MINUTE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** A form to choose an earlier run to compare with; empty without one. Works without a script. */
export const compareForm = (runId: string, earlier: ReadonlyArray<ScoredRun>, chosen?: string): Content =>
  earlier.length === 0 ? null : html`
    <form class="compare-form no-print" action=${`/r/${runId}/compare`} method="get">
      <label for="baseline">Compare with an earlier audit</label>
      <div class="field-row">
        <select id="baseline" name="baseline">
          ${earlier.toReversed().map(({ id, reliable, score, startedAt }) => html`
            <option value=${id} selected=${id === chosen}>${MINUTE.format(new Date(startedAt))} UTC, ${scoreWords(score, reliable)} points</option>`)}
        </select>
        <button class="button button-quiet" type="submit">Compare</button>
      </div>
    </form>`
