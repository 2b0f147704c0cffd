import { html, type VNode } from "./kit/Html.ts"

/** Why an audit that was asked for is not made. */
export interface AuditRefusal {
  /** In words, for a person. */
  readonly text: string
  /** What was typed, to be mended. */
  readonly typed: string
  /** The path of a report to read instead. */
  readonly report?: string
}

/** One field, one button: works without a script, and is sent by `submit.js` where there is one. */
export const auditForm = ({ report, text, typed }: AuditRefusal = { text: "", typed: "" }): VNode => {
  const isRefused = text !== ""
  return html`
    <form class="audit-form" action="/audit?async=true" method="post" data-audit-form>
      <label for="base-url">Address of a documentation site</label>
      <div class="field-row">
        <input id="base-url" name="base_url" type="text" inputmode="url" value=${typed} required maxlength="2048"
          autocomplete="url" autocapitalize="none" spellcheck="false" placeholder="https://docs.example.com"
          aria-describedby=${isRefused ? "base-url-error base-url-hint" : "base-url-hint"} aria-invalid=${isRefused ? "true" : undefined} autofocus=${isRefused}/>
        <button class="button" type="submit">Audit</button>
      </div>
      <p class="field-error" id="base-url-error" role="alert" hidden=${!isRefused} data-audit-error>
        ${text}${report === undefined ? null : html` <a href=${report}>Read that report</a>`}
      </p>
      <p class="field-hint" id="base-url-hint">A public https address. An audit takes a minute or two; the report gets an address that you can share.</p>
    </form>`
}
