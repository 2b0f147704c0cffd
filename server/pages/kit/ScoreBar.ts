import { levelClass } from "../../images/LevelColour.ts"
import { type Content, html, type VNode } from "./Html.ts"

/** A score as a number; of an unreliable report `≥ 43`, which is read as "at least 43". */
export const scoreNumber = (value: number, reliable: boolean): Content =>
  reliable
    ? value
    : html`<span class="at-least" title=${`Not reliable: at least ${value}`}><span aria-hidden="true">≥ </span><span class="visually-hidden">at least </span>${value}</span>`

/** A score of 100 as a number and a short bar in the colour of its level; of an unreliable report with "at least". */
export const score = (value: number, reliable: boolean): VNode => html`
  <span class="score-cell">
    ${shareBar({ name: `score-bar ${levelClass(value, 100, reliable)}`, share: value / 100, width: 72, height: 6 })}
    <span class="score-number">${scoreNumber(value, reliable)}</span>
  </span>`

export interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number
  /** In pixels. */
  readonly height: number
  /** In pixels; as wide as there is room unless given. */
  readonly width?: number
  readonly name?: string
  readonly category?: string
}

/** A share as a bar; decorative, because the number is beside it. */
export const shareBar = ({ category, height, name, share, width }: ShareBarProps): VNode => html`
  <svg class=${name} width=${width ?? "100%"} height=${height} aria-hidden="true" focusable="false" data-category=${category}>
    <rect class="plot-track" width="100%" height=${height} rx=${height / 2}/>
    ${share <= 0 ? null : html`<rect class="plot-bar" width=${`${Math.round(Math.min(1, share) * 10_000) / 100}%`} height=${height} rx=${height / 2}/>`}
  </svg>`
