import { ownerNote } from "../kit/OwnerNote.ts"
import { html, type VNode } from "../kit/Html.ts"
import { type ReportView, scoreInFull } from "./ReportView.ts"

/** Ways to share the report: its URL, a badge, and formats for programs. */
export const shareSection = ({ base, hasArchive, report, run: { id }, verification }: ReportView): VNode => {
  const page = `${base}/r/${id}`
  return html`
    <section class="share" aria-labelledby="share">
      <h2 id="share">Share and keep</h2>
      <p>This report has its own URL and never changes: <a href=${`/r/${id}`}>${page}</a></p>
      <p>A badge: <img class="badge" src=${`/r/${id}/badge.svg`} alt=${`docgauge: ${scoreInFull(report)}`} height="20" loading="lazy"/></p>
      <pre class="snippet" tabindex="0"><code>[![docgauge](${page}/badge.svg)](${page})</code></pre>
      <ul class="link-row">
        <li><a href=${`/r/${id}.json`}>Report as JSON</a></li>
        <li><a href=${`/r/${id}.md`}>As Markdown, for agents</a></li>
        ${hasArchive ? html`<li><a href=${`/api/public/audit/${id}/archive`}>All that was fetched (WARC)</a></li>` : null}
      </ul>
      <form class="no-print" action="/audit?async=true" method="post">
        <input type="hidden" name="base_url" value=${report.base_url}/>
        <button class="button button-quiet" type="submit">Audit this site again</button>
      </form>
      ${verification === null ? null : ownerNote(verification)}
    </section>`
}
