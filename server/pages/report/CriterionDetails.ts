import type { AuditReport, CriterionResult, EvidenceItem } from "../../../engine/audit/Report.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { codedText } from "../kit/CodedText.ts"
import { auditedLink, quotedText, rubricText } from "../kit/Audited.ts"
import { EFFORT_WORDS } from "./FixFirst.ts"
import { exchangesOf, type ShownExchanges, shownExchanges } from "./Exchanges.ts"
import type { ReportView } from "./ReportView.ts"
import { categoryAnchor } from "./ScoreHead.ts"
import { statusPill } from "./Tone.ts"

interface Told extends Pick<ReportView, "report" | "words"> {
  readonly shown: ShownExchanges
  /** Whether the pages of the rubric are there to link to. */
  readonly linksRubric: boolean
}

/** All criteria by category, the biggest losses first; each opens to its findings, the requests behind them, why it matters, and what to do. */
export const criteriaByCategory = ({ linksRubric, report, words }: Omit<Told, "shown">): Content => {
  const categories = Object.entries(report.categories).map(([key, category]) => ({ ...category, key, criteria: costliestFirst(ofCategory(report.criteria, key)) }))
  const shown = shownExchanges(report, [...categories.flatMap(({ criteria }) => criteria), ...report.experimental])
  const told = { report, words, shown, linksRubric }
  return [
    ...categories.map(({ criteria, key, max, score, title }) =>
      group(categoryAnchor(key), title, html`<span class="number">${score}<span class="soft"> / ${max}</span></span>`, criteria, told)),
    report.experimental.length === 0
      ? null
      : group("on-trial", "On trial", html`<span class="soft">earning nothing yet</span>`, report.experimental, told)
  ]
}

const ofCategory = (criteria: AuditReport["criteria"], key: string) => criteria.filter(({ id }) => id.startsWith(key.slice(0, 1)))

const costliestFirst = (criteria: ReadonlyArray<CriterionResult>): ReadonlyArray<CriterionResult> =>
  criteria.toSorted((one, other) => (other.max - other.score) - (one.max - one.score))

const group = (anchor: string, title: string, points: VNode, criteria: ReadonlyArray<CriterionResult>, told: Told): Content =>
  criteria.length === 0 ? null : html`
    <section class="criteria" aria-labelledby=${anchor}>
      <h2 id=${anchor}>${title} ${points}</h2>
      ${criteria.map((criterion) => details(criterion, told))}
    </section>`

/** The anchor is inside the details element, so that a browser that follows a link to it opens it. */
const details = (criterion: CriterionResult, { linksRubric, report, shown, words }: Told): VNode => {
  const { evidence, id, max, remedy, score, status, summary, title } = criterion
  const origin = URL.parse(report.base_url)?.origin ?? ""
  const why = words.why.get(id)
  return html`
    <details class="criterion">
      <summary>
        <span class="criterion-id">${id}</span>
        <span class="criterion-title">${rubricText(title)}</span>
        ${isApplicable(criterion) ? statusPill(status) : html`<span class="status status-inconclusive">Not applicable</span>`}
        ${report.experimental.includes(criterion) ? null : html`<span class="number criterion-points">${score}<span class="soft"> / ${max}</span></span>`}
      </summary>
      <div class="criterion-body" id=${id}>
        <h3>What was seen</h3>
        <p>${quotedText(summary)}</p>
        <ul class="evidence">${evidence.map((item) => evidenceItem(item, summary, origin))}</ul>
        ${allFindings(criterion, origin)}
        ${exchangesOf(criterion, shown)}
        ${why === undefined ? null : html`<h3>Why it matters</h3><p>${codedText(why)}</p>`}
        ${remedy === null ? null : remedySteps(remedy, criterion, origin)}
        ${linksRubric ? html`<p class="small"><a href=${`/rubric/${id}`}>How ${id} is measured</a></p>` : null}
      </div>
    </details>`
}

const evidenceItem = ({ note, status, url }: EvidenceItem, summary: string, origin: string): VNode => html`
  <li>
    <span class="http-status">${status ?? "no answer"}</span>
    <span>${auditedLink(url, origin)}${note === summary ? null : html`<q>${quotedText(note)}</q>`}</span>
  </li>`

/** The evidence that is not shown above. */
const allFindings = ({ evidence, findings = [], findings_left_out: leftOut = 0, summary }: CriterionResult, origin: string): Content => {
  const others = findings.filter(({ note, url }) => !evidence.some((item) => item.note === note && item.url === url))
  if (others.length === 0) return null
  return html`
    <details>
      <summary>${counted(others.length, "more finding")}</summary>
      <ul class="evidence">${others.map((item) => evidenceItem(item, summary, origin))}</ul>
      ${leftOut === 0 ? null : html`<p class="small">The report leaves out ${counted(leftOut, "more finding")}.</p>`}
    </details>`
}

const remedySteps = (
  { addresses, effort, recipe, steps, steps_done: done = [] }: NonNullable<CriterionResult["remedy"]>,
  { evidence, status }: CriterionResult,
  origin: string
): VNode => {
  const shown = new Set(evidence.map(({ url }) => url))
  const others = addresses.filter((address) => !shown.has(address))
  if (status === "inconclusive" && steps.length === 0) return html`<p>This could not be checked, so we advise nothing.</p>`
  return html`
    <h3>How to fix it <span class="soft small">${EFFORT_WORDS[effort]}</span></h3>
    <ol>${steps.map((step) => html`<li>${rubricText(step)}</li>`)}</ol>
    ${recipe === undefined ? null : html`<p>With ${rubricText(recipe.generator)}: ${rubricText(recipe.do)} <a href=${recipe.url}>Documentation</a></p>`}
    ${done.length === 0 ? null : html`<p class="small">Done, or does not apply:</p><ul class="small">${done.map((step) => html`<li>${rubricText(step)}</li>`)}</ul>`}
    ${others.length === 0 ? null : html`
      <p class="small">It concerns ${others.map((address, index) => html`${index === 0 ? null : ", "}${auditedLink(address, origin)}`)}.</p>`}`
}
