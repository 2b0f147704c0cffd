import { type Fix, openedGain, ownGain } from "../../../engine/audit/FixFirst.ts"
import type { Remedy } from "../../../engine/audit/Report.ts"
import { generatorTitle } from "../../../engine/rubric/CriterionPage.ts"
import { rubricText } from "../kit/Parts.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

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

/** The points that a fix gains, as `gainText` says them, with the words smaller than the number. */
export const gain = (fix: Fix): VNode =>
  html`+${ownGain(fix.criterion)}${fix.includes.length === 0 ? null : html` <span class="opens">opens up to +${openedGain(fix)}</span>`}`
