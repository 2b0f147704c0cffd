import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import { html, type VNode } from "./Html.ts"

/** For the owner of a site: how to have it audited more often. */
export const ownerNote = ({ file, meta, then, token }: OwnerVerification): VNode => html`
  <details class="owner">
    <summary>Is this your site? Have it audited ${then}.</summary>
    <p>Publish this token in a text file at <code>${file}</code>, on a line of its own:</p>
    <pre class="snippet" tabindex="0"><code>${token}</code></pre>
    <p>Or put this element into the head of the page that is audited:</p>
    <pre class="snippet" tabindex="0"><code>${meta}</code></pre>
    <p>We look for it when the daily limit would refuse an audit. Anyone can then audit the site ${then}, until you remove it. <a href="/docs/v1/verify-site">More about verified sites</a></p>
  </details>`
