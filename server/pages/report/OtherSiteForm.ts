import { html, type VNode } from "../kit/Html.ts"

export interface OtherSiteFormProps {
  /** The run to compare. */
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
