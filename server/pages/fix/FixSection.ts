import { fixList } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { fixCommand } from "../../fixes/RunFixes.ts"
import { type Content, html } from "../../../engine/report/html/Html.ts"

/** A report, and whether the archive is there that a plan is made from. */
interface Fixable {
  readonly report: AuditReport
  readonly run: { readonly id: string; readonly url: string }
  readonly hasArchive: boolean
}

/** Whether the page leads to a plan. */
export const offersPlan = ({ hasArchive, report }: Fixable): boolean => hasArchive && fixList(report).fixes.length > 0

/** The way to the plan and the files, which are made when somebody asks for them; nothing where no points are lost. */
export const fixSection = ({ hasArchive, report, run: { id, url } }: Fixable): Content => {
  if (fixList(report).fixes.length === 0) return null
  const command = html`<pre class="snippet" tabindex="0"><code>${plainText(fixCommand(url), 2_200)}</code></pre>`
  return html`
    <section id="fix-it" data-service aria-labelledby="fix-it-title">
      <h2 id="fix-it-title">Fix it</h2>
      <p>docgauge can write files that raise this score (llms.txt, Markdown versions, a sitemap and more) from what the site publishes, measures what they gain, and says what is left to write.</p>
      ${
        hasArchive
          ? html`<p class="no-print"><a class="button" href=${`/r/${id}/fix`} rel="nofollow" data-fix>Show the plan and the files</a></p><details><summary>On your own machine, with the site as it is now</summary>${command}</details>`
          : html`<p>The archive of this audit is no longer kept, so they can't be made here. On your own machine, with the site as it is now:</p>${command}`
      }
    </section>`
}
