import { html, type VNode } from "../kit/Html.ts"

/** A score of 100 as a number and a short bar. */
export const score = (value: number): VNode => html`
  <span class="score-cell">
    <svg class="score-bar" width="72" height="6" aria-hidden="true" focusable="false">
      <rect class="plot-track" width="100%" height="6" rx="3"/>
      <rect class="plot-bar" width=${`${value}%`} height="6" rx="3"/>
    </svg>
    <span class="score-number">${value}</span>
  </span>`
