import type { AuditReport, CriterionResult, Remedy } from "../../../engine/audit/Report.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { codedText } from "../kit/CodedText.ts"
import { auditedLink, rubricText } from "../kit/Audited.ts"
import { findingsOf } from "./Findings.ts"
import { exchangesOf, type ShownExchanges, shownExchanges } from "./Exchanges.ts"
import { effortText } from "../../../engine/rubric/definition/Rubric.ts"
import { recipeText, stepList } from "./Steps.ts"
import { DOES_NOT_APPLY, NOT_APPLICABLE, statusPill } from "../kit/StatusPill.ts"

interface Told {
  readonly report: AuditReport
  /** Why each criterion matters, by id. */
  readonly why: ReadonlyMap<string, string>
  readonly shown: ShownExchanges
  /** The page of the rubric about a criterion; `null`: there is none to link to. */
  readonly rubricPage: ((criterion: string) => string) | null
}

/** All criteria by category, the biggest losses first; each opens to its findings, the requests behind them, why it matters, and what to do. */
export const criteriaByCategory = ({ report, rubricPage, why }: Omit<Told, "shown">): Content => {
  const categories = Object.entries(report.categories).map(([key, category]) => ({
    ...category,
    key,
    criteria: costliestFirst(ofCategory(report.criteria, key))
  }))
  const shown = shownExchanges(report, [...categories.flatMap(({ criteria }) => criteria), ...report.experimental])
  const told = { report, why, shown, rubricPage }
  return html`
    <div class="all-criteria" id="criteria">
      ${criteriaTools({ all: report.criteria.length, lost: report.criteria.filter(losesPoints).length })}
      ${categories.map(({ criteria, key, max, score, title }) =>
        group(categoryAnchor(key), title, pointsOf(score, max, criteria), criteria, told)
      )}
      ${group("on-trial", "On trial", html`<span class="soft">earning nothing yet</span>`, report.experimental, told)}
    </div>`
}

const pointsOf = (score: number, max: number, criteria: ReadonlyArray<CriterionResult>): VNode =>
  criteria.some(isApplicable)
    ? html`<span class="number">${score}<span class="soft"> / ${max}</span></span>`
    : html`<span class="soft small">${DOES_NOT_APPLY}</span>`

/** The letter of a category, linked to its criteria on the page. */
export const categoryAnchor = (key: string): string => `category-${key.slice(0, 1)}`

const ofCategory = (criteria: AuditReport["criteria"], key: string) =>
  criteria.filter(({ id }) => id.startsWith(key.slice(0, 1)))

const costliestFirst = (criteria: ReadonlyArray<CriterionResult>): ReadonlyArray<CriterionResult> =>
  criteria.toSorted((one, other) => other.max - other.score - (one.max - one.score))

const group = (
  anchor: string,
  title: string,
  points: VNode,
  criteria: ReadonlyArray<CriterionResult>,
  told: Told
): Content =>
  criteria.length === 0
    ? null
    : html`
    <section class="criteria" aria-labelledby=${anchor}>
      <h2 id=${anchor}><span>${title} <a class="anchor no-print" href=${`#${anchor}`} aria-label=${`Link to ${title}`}>#</a></span> ${points}</h2>
      ${criteria.some(losesPoints) ? null : html`<p class="nothing-lost soft">No points lost here.</p>`}
      ${criteria.map((criterion) => details(criterion, told))}
    </section>`

/** The anchor is inside the details element, so that a browser that follows a link to it opens it. */
const details = (criterion: CriterionResult, { report, rubricPage, shown, why }: Told): VNode => {
  const { id, max, remedy, score, title } = criterion
  const origin = URL.parse(report.base_url)?.origin ?? ""
  const reason = why.get(id)
  const waits = waitsFor(criterion)
  return html`
    <div class=${losesPoints(criterion) ? "criterion-row" : "criterion-row is-full"}>
      <a class="anchor no-print" href=${`#${id}`} aria-label=${`Link to ${id}`}>#</a>
      <details class="criterion">
        <summary>
          <span class="criterion-id">${id}</span>
          <span class="criterion-title">${rubricText(title)}${waits.length === 0 ? null : html` <span class="soft small">depends on ${eitherOf(waits)}</span>`}</span>
          ${isApplicable(criterion) ? statusPill(criterion.status) : NOT_APPLICABLE}
          ${report.experimental.includes(criterion) ? null : html`<span class="number criterion-points">${isApplicable(criterion) ? score : "–"}<span class="soft"> / ${max}</span></span>`}
        </summary>
        <div class="criterion-body" id=${id}>
          ${findingsOf(criterion, origin, shown)}
          ${waits.length === 0 ? null : html`<p>Fix ${eitherOf(waits.map((other) => html`<a href=${`#${other}`}>${other}</a>`))} first: ${id} can earn nothing before.</p>`}
          ${remedy === null ? null : remedySteps(remedy, criterion, origin)}
          ${exchangesOf(criterion, shown)}
          ${reason === undefined ? null : html`<h3>Why it matters</h3><p>${codedText(reason)}</p>`}
          <p class="small no-print"><a href=${`#${id}`}>Link to ${id}</a>${rubricPage === null ? null : html`<span data-service> · <a href=${rubricPage(id)}>How ${id} is measured</a></span>`}</p>
        </div>
      </details>
    </div>`
}

/** The criteria of which one has to earn points before this one can. */
const waitsFor = (criterion: CriterionResult): ReadonlyArray<string> =>
  isApplicable(criterion) && criterion.status === "absent" ? (criterion.blocked_by ?? []) : []

const eitherOf = (names: ReadonlyArray<Content>): Content =>
  names.map((name, index) => [index === 0 ? null : index === names.length - 1 ? " or " : ", ", name])

/** Those on trial lose none, and are shown by the filter if they could be met better. */
const losesPoints = (criterion: CriterionResult): boolean =>
  isApplicable(criterion) &&
  (criterion.score < criterion.max || criterion.status === "absent" || criterion.status === "partial")

const remedySteps = (remedy: Remedy, { evidence, findings = [], status }: CriterionResult, origin: string): VNode => {
  const shown = new Set([...evidence, ...findings].map(({ url }) => url))
  const others = remedy.addresses.filter((address) => !shown.has(address))
  if (status === "inconclusive" && remedy.steps.length === 0)
    return html`<p>This could not be checked, so we advise nothing.</p>`
  return html`
    <h3>How to fix it <span class="soft small">${effortText(remedy.effort)}</span></h3>
    ${stepList(remedy)}
    ${recipeText(remedy)}
    ${
      others.length === 0
        ? null
        : html`
      <p class="small">It concerns ${others.map((address, index) => html`${index === 0 ? null : ", "}${auditedLink(address, origin)}`)}.</p>`
    }`
}

/** What filters and opens the criteria below: the filter is style alone, and needs no script. It is left out where it would change nothing. */
const criteriaTools = ({ all, lost }: { readonly all: number; readonly lost: number }): VNode => html`
  <div class="criteria-tools no-print">
    ${
      lost === 0 || lost === all
        ? null
        : html`
      <fieldset class="segments">
        <legend class="visually-hidden">Criteria to show</legend>
        <label><input type="radio" name="criteria" id="show-all" checked/> All ${all}</label>
        <label><input type="radio" name="criteria" id="show-lost"/> Lost points ${lost}</label>
      </fieldset>`
    }
    <button class="button button-quiet button-small needs-script" type="button" data-expand>Expand all</button>
  </div>`
