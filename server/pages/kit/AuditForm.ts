import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import type { OwnerProof } from "../../api/Errors.ts"
import { waitText } from "../../audits/RefusalMessages.ts"
import type { RefusedForm } from "../../http/errors/ErrorResponses.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"

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

/** For the owner of a site: how to have it audited more often. */
export const ownerNote = ({ file, meta, then, token }: OwnerVerification): VNode => html`
  <details class="owner">
    <summary>Is this your site? Have it audited ${then}.</summary>
    <p>Publish this token in a text file at <code>${file}</code>, on a line of its own:</p>
    <pre class="snippet" tabindex="0"><code>${token}</code></pre>
    <p>Or put this element into the head of the page that is audited:</p>
    <pre class="snippet" tabindex="0"><code>${meta}</code></pre>
    <p>We look for it when the limit would refuse an audit. Anyone can then audit the site ${then}, until you remove it. <a href="/docs/v1/verify-site">More about verified sites</a></p>
  </details>`

/** For the owner of a site: another audit of this URL, which asks as named agents, too. */
export const agentsForm = (url: string): VNode => html`
  <details class="owner no-print">
    <summary>Is this your site? See what AI agents are served.</summary>
    <form class="owner-form" action="/audit?async=true" method="post">
      <input type="hidden" name="base_url" value=${url}/>
      <p class="check-row">
        <input type="checkbox" id="as-agents-wanted" name="as_agents" value="true" required/>
        <label for="as-agents-wanted">Ask as named agents, too: at most ${REQUESTS_AS_AGENTS} more requests, to see what each of ${NAMED_AGENTS.length} named agents is served; your score does not change.</label>
      </p>
      <label for="owner-key">Owner key</label>
      <div class="field-row">
        <input id="owner-key" name="owner_key" type="password" maxlength="200" autocomplete="current-password" aria-describedby="owner-key-hint"/>
        <button class="button button-quiet" type="submit">Audit again as the owner</button>
      </div>
      <p class="field-hint" id="owner-key-hint">If you have none, leave it empty: the answer is a key, and what to publish on your site. The report is public, like every report. <a href="/docs/v1/verify-site#what-ai-agents-are-served">More about it</a></p>
    </form>
  </details>`

/** What the owner of a site publishes to be known as the owner, and the same request again. */
const ownerProofNote = (typed: string, { file, meta, owner_key: key, token }: OwnerProof): VNode => html`
  <section class="owner-proof" aria-labelledby="owner-proof">
    <h2 id="owner-proof">Show that the site is yours</h2>
    <ol>
      <li>
        <p>Keep this owner key to yourself. With it, you count as the owner here.</p>
        <pre class="snippet" tabindex="0"><code id="shown-owner-key">${key}</code></pre>
      </li>
      <li>
        <p>Publish its token in a text file at <code>${file}</code>, on a line of its own:</p>
        <pre class="snippet" tabindex="0"><code id="shown-token">${token}</code></pre>
        <p>Or put this element into the head of the page that is audited:</p>
        <pre class="snippet" tabindex="0"><code>${meta}</code></pre>
      </li>
      <li>
        <p>Then ask again. We look for the token once a minute at most. Remove it, and the key is worth nothing.</p>
        <form action="/audit?async=true" method="post">
          <input type="hidden" name="base_url" value=${typed}/>
          <input type="hidden" name="as_agents" value="true"/>
          <input type="hidden" name="owner_key" value=${key}/>
          <button class="button" type="submit">Audit as the owner</button>
        </form>
      </li>
    </ol>
  </section>`
