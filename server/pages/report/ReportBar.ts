import { scoreWords } from "../../../engine/criterion/Wording.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { levelClass } from "../../images/LevelColour.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

const barLink = (anchor: string, text: string): VNode => html`<li><a href=${`#${anchor}`}>${text}</a></li>`

/** A link of the bar to a section that only the service's page has. */
export const serviceLink = (anchor: string, text: string): VNode =>
  html`<li data-service><a href=${`#${anchor}`}>${text}</a></li>`

/** The score and the sections of the page, which stay in view while one scrolls. `more`: links of the service's page alone. */
export const reportBar = (
  { max_score: max, pages = [], reliability: { reliable }, total_score: score, verdict }: AuditReport,
  more: Content
): VNode => html`
  <nav class="report-bar no-print" aria-label="On this page">
    <a class="bar-score" href="#main"><strong class=${levelClass(score, max, reliable)}>${scoreWords(score, reliable)}</strong> <span>${reliable ? verdict : "not reliable"}</span></a>
    <ul>
      ${barLink("fix-first", "Fix first")}
      ${barLink("criteria", "Criteria")}
      ${pages.length === 0 ? null : barLink("pages", "Pages")}
      ${more}
    </ul>
  </nav>`
