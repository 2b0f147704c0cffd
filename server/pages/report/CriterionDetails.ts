import type { AuditReport, CriterionResult, EvidenceItem } from "../../../engine/audit/Report.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { codedText } from "../rubric/CodedText.ts"
import { auditedLink, quoted, rubricText } from "./Audited.ts"
import { EFFORT_WORDS } from "./FixFirst.ts"
import type { ReportView } from "./ReportView.ts"
import { categoryAnchor } from "./ScoreHead.ts"
import { statusPill } from "./Tone.ts"

type Told = Pick<ReportView, "report" | "words">

/** All criteria by category, within each what costs most first; each opens to what was seen, why it matters, and what to do. */
export const criteriaByCategory = ({ report, words }: Told): Content => [
  ...Object.entries(report.categories).map(([key, { max, score, title }]) =>
    group(categoryAnchor(key), title, html`<span class="number">${score}<span class="soft"> / ${max}</span></span>`,
      costliestFirst(ofCategory(report.criteria, key)), { report, words })),
  report.experimental.length === 0
    ? null
    : group("on-trial", "On trial", html`<span class="soft">earning nothing yet</span>`, report.experimental, { report, words })
]

const ofCategory = (criteria: AuditReport["criteria"], key: string) => criteria.filter(({ id }) => id.startsWith(key.slice(0, 1)))

const costliestFirst = (criteria: ReadonlyArray<CriterionResult>): ReadonlyArray<CriterionResult> =>
  criteria.toSorted((one, other) => (other.max - other.score) - (one.max - one.score))

const group = (anchor: string, title: string, points: VNode, criteria: ReadonlyArray<CriterionResult>, told: Told): Content =>
  criteria.length === 0 ? null : html`
    <section class="criteria" aria-labelledby=${anchor}>
      <h2 id=${anchor}>${title} ${points}</h2>
      ${criteria.map((criterion) => details(criterion, told))}
    </section>`

/** The anchor lies within what opens: a browser that is led there opens it. */
const details = (criterion: CriterionResult, { report, words }: Told): VNode => {
  const { evidence, id, max, remedy, score, status, summary, title } = criterion
  const origin = URL.parse(report.base_url)?.origin ?? ""
  const why = words.why.get(id)
  return html`
    <details class="criterion">
      <summary>
        <span class="criterion-id">${id}</span>
        <span class="criterion-title">${rubricText(title)}</span>
        ${statusPill(status)}
        <span class="number criterion-points">${score}<span class="soft"> / ${max}</span></span>
      </summary>
      <div class="criterion-body" id=${id}>
        <h3>What was seen</h3>
        <p>${quoted(summary)}</p>
        <ul class="evidence">${evidence.map((item) => evidenceItem(item, summary, origin))}</ul>
        ${why === undefined ? null : html`<h3>Why it matters</h3><p>${codedText(why)}</p>`}
        ${remedy === null ? null : mending(remedy, criterion, origin)}
        <p class="small"><a href=${`/rubric/${id}`}>How ${id} is measured</a></p>
      </div>
    </details>`
}

const evidenceItem = ({ note, status, url }: EvidenceItem, summary: string, origin: string): VNode => html`
  <li>
    <span class="http-status">${status ?? "no answer"}</span>
    <span>${auditedLink(url, origin)}${note === summary ? null : html`<q>${quoted(note)}</q>`}</span>
  </li>`

const mending = ({ addresses, effort, steps }: NonNullable<CriterionResult["remedy"]>, { evidence }: CriterionResult, origin: string): VNode => {
  const shown = new Set(evidence.map(({ url }) => url))
  const others = addresses.filter((address) => !shown.has(address))
  return html`
    <h3>How to mend it <span class="soft small">${EFFORT_WORDS[effort]}</span></h3>
    <ol>${steps.map((step) => html`<li>${rubricText(step)}</li>`)}</ol>
    ${others.length === 0 ? null : html`
      <p class="small">It concerns ${others.map((address, index) => html`${index === 0 ? null : ", "}${auditedLink(address, origin)}`)}.</p>`}`
}
