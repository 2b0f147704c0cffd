import { scoreWords } from "../../../engine/plugin/Wording.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { minuteText } from "../../../engine/report/html/Parts.ts"
import type { ScoredRun } from "./ReportReading.ts"

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

interface OtherSiteFormProps {
  readonly runId: string
  /** What was typed before, to correct. */
  readonly typed?: string
}

/** A form to choose a site, or one of its reports, to compare a run with. Works without a script. */
export const otherSiteForm = ({ runId, typed = "" }: OtherSiteFormProps): VNode => html`
  <form class="other-site no-print" action=${`/r/${runId}/compare`} method="get">
    <label for="other-site">Compare with another site</label>
    <div class="field-row">
      <input id="other-site" name="site" type="text" inputmode="url" value=${typed} required maxlength="2048"
        autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="docs.example.com" aria-describedby="other-site-hint"/>
      <button class="button button-quiet" type="submit">Compare</button>
    </div>
    <p class="field-hint" id="other-site-hint">An audited site, or the URL of a report.</p>
  </form>`
