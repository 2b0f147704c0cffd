import { type Fix, worstLosses } from "../../../engine/audit/Fixes.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { counted } from "../charts/Figures.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { quoted, rubricText } from "./Audited.ts"

/** What is told on top; all that costs points stands below. */
const FEW = 5

/** What an effort means, for those who have to make it. */
export const EFFORT_WORDS = { low: "hours of work", medium: "days of work", high: "weeks of work" } as const

/** What costs most, and where to read how to mend it. */
export const fixFirst = (report: AuditReport): Content => {
  const fixes = worstLosses(report)
  return html`
    <section aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      ${fixes.length === 0
        ? html`<p>Nothing: all points were earned.</p>`
        : html`<ol class="fixes">${fixes.slice(0, FEW).map(entry)}</ol>${rest(fixes.slice(FEW))}`}
    </section>`
}

const entry = ({ criterion: { id, remedy, summary, title }, lost }: Fix): VNode => html`
  <li>
    <span class="fix-points">+${lost}</span>
    <div>
      <a href=${`#${id}`}>${rubricText(title)}</a> <span class="soft small nowrap">${remedy === null ? null : EFFORT_WORDS[remedy.effort]}</span>
      <p class="soft">${quoted(summary)}</p>
    </div>
  </li>`

const rest = (fixes: ReadonlyArray<Fix>): Content =>
  fixes.length === 0 ? null : html`
    <p class="soft">${counted(fixes.reduce((sum, { lost }) => sum + lost, 0), "more point")} can be gained from ${counted(fixes.length, "other criterion", "other criteria")} below.</p>`
