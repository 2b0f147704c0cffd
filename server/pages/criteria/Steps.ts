import type { Remedy } from "../../../engine/audit/Report.ts"
import { generatorTitle } from "../../../engine/rubric/CriterionPage.ts"
import { type Content, html } from "../kit/Html.ts"
import { rubricText } from "../kit/Audited.ts"

/** The steps that are left, then those that need no action, ticked. */
export const stepList = ({ steps, steps_done: done = [] }: Remedy): Content => [
  steps.length === 0 ? null : html`<ol class="steps">${steps.map((step) => html`<li>${rubricText(step)}</li>`)}</ol>`,
  done.length === 0
    ? null
    : html`<p class="steps-done-head">Done, or not needed:</p><ul class="steps-done">${done.map((step) => html`<li>${rubricText(step)}</li>`)}</ul>`
]

/** How to do it with the generator that the site is made with. */
export const recipeText = ({ recipe }: Remedy): Content =>
  recipe === undefined
    ? null
    : html`<p>With ${generatorTitle(recipe.generator)}: ${rubricText(recipe.do)} <a href=${recipe.url} rel="noopener noreferrer">Documentation</a></p>`
