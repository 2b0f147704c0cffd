import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { counted, scoreWords, signed } from "../../../engine/criterion/Wording.ts"
import { pointsText } from "../../../engine/rubric/CriterionPage.ts"
import type { Category, CriterionDefinition, Level } from "../../../engine/rubric/definition/Rubric.ts"
import type { LoadedRubric } from "../../../engine/rubric/RubricFile.ts"
import { siteName } from "../kit/Audited.ts"
import { uncoded } from "../kit/CodedText.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { pageMetadata } from "../kit/Metadata.ts"
import { type Calculation, calculated, type Chosen } from "./Calculation.ts"

/** A run that the levels were filled from. */
export interface FilledFrom {
  readonly id: string
  readonly report: AuditReport
}

export interface CalculatorPageProps {
  /** The URL of the service. */
  readonly base: string
  readonly rubric: LoadedRubric<unknown>
  readonly chosen: Chosen
  /** `null`: the levels are those of the query. */
  readonly run: FilledFrom | null
}

/** Choose a level for each criterion, and see the total. Without the script, the button asks for the page with the chosen levels. */
export const calculatorPage = ({ base, chosen, rubric: loaded, run }: CalculatorPageProps): VNode => {
  const { rubric } = loaded
  const title = "Score calculator"
  const description = `Choose a level for each criterion of ${rubric.id} ${rubric.version}, and see the total and its verdict.`
  const result = calculated(loaded, chosen)
  return layout({
    title,
    description,
    path: "/rubric",
    styles: ["rubric.css"],
    scripts: ["calculator.js"],
    robots: run === null && [...chosen.values()].every((points) => points === null) ? "index" : "noindex",
    head: pageMetadata({
      base,
      url: `${base}/rubric/calculator`,
      title,
      description,
      above: [{ title: "Rubric", url: `${base}/rubric` }]
    }),
    content: html`
      <nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/rubric">Rubric</a></li></ol></nav>
      <h1>${title}</h1>
      <p class="lead">${description}</p>
      ${run === null ? null : filledNote(loaded, run, result)}
      <form method="get" action="/rubric/calculator" data-calculator>
        <p class="total" role="status" data-verdicts=${JSON.stringify(rubric.verdicts.map(({ from, word }) => [from, word]))}><strong>${result.total}</strong> of 100: <span>${result.verdict}</span></p>
        ${rubric.categories.map((category) => categoryFields(category, chosen))}
        <p class="action-row"><button class="button" type="submit">Calculate</button></p>
      </form>`
  })
}

const categoryFields = ({ criteria, points, title }: Category, chosen: Chosen): VNode => html`
  <fieldset>
    <legend>${title} (${pointsText(points)})</legend>
    ${criteria.map((criterion) => levelField(criterion, chosen.get(criterion.id) ?? null))}
  </fieldset>`

const levelField = ({ id, levels, title }: CriterionDefinition, chosen: number | null): VNode => html`
  <p class="level-field">
    <label for=${`level-${id}`}><a href=${`/rubric/${id}`}>${id}</a> ${uncoded(title)}</label>
    <select id=${`level-${id}`} name=${id}>
      <option value="" selected=${chosen === null}>–</option>
      ${levels.filter(isFirstOfItsPoints).map(({ earns, status }) => html`<option value=${earns} selected=${chosen === earns}>${earns}, ${status}</option>`)}
    </select>
  </p>`

/** Two levels that earn alike are one choice. */
const isFirstOfItsPoints = ({ earns }: Level, index: number, levels: ReadonlyArray<Level>): boolean =>
  levels.findIndex((level) => level.earns === earns) === index

/** What the rubric in force makes of the run, and what is not known of it. */
const filledNote = (
  { digest, rubric }: LoadedRubric<unknown>,
  { id, report }: FilledFrom,
  result: Calculation
): VNode => {
  const { open, total } = result
  const was = scoreWords(report.total_score, report.reliability.reliable)
  const isSame = report.rubric.digest === digest
  return html`
    <p>Filled from <a href=${`/r/${id}`}>the audit of ${siteName(report.base_url)}</a>${
      isSame
        ? html`: ${was} under ${rubricName(report.rubric)}.`
        : html`, which scored ${was} under ${rubricName(report.rubric)}. Its facts come to ${open.length === 0 ? "" : "at least "}${total} under ${rubric.version}${open.length === 0 ? ` (${signed(total - report.total_score)})` : ""}.`
    }${openNote(open)}</p>`
}

const openNote = (open: Calculation["open"]): Content =>
  open.length === 0
    ? null
    : ` ${counted(open.length, "criterion", "criteria")} could not be filled, because it could not be checked or is measured differently now: ${open.map(({ id }) => id).join(", ")}.`
