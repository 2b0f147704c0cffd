import { waitText } from "../../audits/WaitText.ts"
import type { RefusedForm } from "../../http/errors/PageRenderer.ts"
import { html, type VNode } from "./Html.ts"
import { ownerNote, ownerProofNote } from "./OwnerNote.ts"

/** The audit form, which works without a script; with one, `submit.js` sends it. */
export const auditForm = (
  { ownership, report, retryAfter, text, typed, verification }: RefusedForm = { text: "", typed: "" }
): VNode => {
  const isRefused = text !== ""
  return html`
    <form class="audit-form" action="/audit?async=true" method="post" data-audit-form>
      <label for="base-url">URL of a documentation site</label>
      <div class="field-row">
        <input id="base-url" name="base_url" type="text" inputmode="url" value=${typed} required maxlength="2048"
          autocomplete="url" autocapitalize="none" spellcheck="false" placeholder="https://docs.example.com"
          aria-describedby=${isRefused ? "base-url-error base-url-hint" : "base-url-hint"} aria-invalid=${isRefused ? "true" : undefined} autofocus=${isRefused}/>
        <button class="button" type="submit">Audit</button>
      </div>
      <p class="field-error" id="base-url-error" role="alert" hidden=${!isRefused} data-audit-error>
        ${text}${report === undefined ? null : html` <a href=${report}>Open the report</a>`}
      </p>
      <p class="field-hint" data-next-audit=${retryAfter ?? ""} hidden=${retryAfter === undefined}>${retryAfter === undefined ? null : `Next audit possible in ${waitText(retryAfter)}.`}</p>
      <div data-owner>${verification === undefined ? null : ownerNote(verification)}</div>
      <p class="field-hint" id="base-url-hint">A public https URL. An audit usually takes under 30 seconds, and the report gets a URL that you can share.</p>
    </form>
    ${ownership === undefined ? null : ownerProofNote(typed, ownership)}`
}
