import { type Content, html, type VNode } from "./Html.ts"

/** A score as a number; of an unreliable report `≥ 43`, which is read as "at least 43". */
export const scoreNumber = (value: number, reliable: boolean): Content =>
  reliable ? value : html`<span class="at-least" title=${`Not reliable: at least ${value}`}><span aria-hidden="true">≥ </span><span class="visually-hidden">at least </span>${value}</span>`

/** A score of 100 as a number and a short bar; of an unreliable report with "at least". */
export const score = (value: number, reliable: boolean): VNode => html`
  <span class="score-cell">
    <svg class="score-bar" width="72" height="6" aria-hidden="true" focusable="false">
      <rect class="plot-track" width="100%" height="6" rx="3"/>
      <rect class="plot-bar" width=${`${value}%`} height="6" rx="3"/>
    </svg>
    <span class="score-number">${scoreNumber(value, reliable)}</span>
  </span>`
