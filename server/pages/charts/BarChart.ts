import { plainText } from "../../../engine/audit/PlainText.ts"
import { html, type VNode } from "../kit/Html.ts"
import { grouped } from "./Figures.ts"

/** One bar: what it stands for, and how much of it. */
export interface Bar {
  readonly label: string
  /** 0 or more. */
  readonly value: number
}

export interface BarChartProps {
  /** Of the chart on its page. */
  readonly id: string
  /** What the bars show, for whoever does not see them. */
  readonly title: string
  readonly bars: ReadonlyArray<Bar>
  /** What a bar of full length stands for; the largest value unless given. */
  readonly full?: number
}

/** In pixels. */
const ROW = 44

/** Longer labels are cut: a column of a phone holds no more. */
const LONGEST_LABEL = 36

/**
 * Horizontal bars, each under its label and value. Lengths are shares of the chart's width, so that letters keep their
 * size on any screen. Nothing of no bars: whoever asks says why there are none.
 */
export const barChart = ({ bars, full, id, title }: BarChartProps): VNode => {
  const most = full ?? Math.max(1, ...bars.map(({ value }) => value))
  return html`
    <svg class="plot" role="img" aria-labelledby=${`${id}-title`} aria-describedby=${`${id}-desc`} width="100%" height=${bars.length * ROW}>
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${bars.map(({ label, value }) => `${plainText(label)}: ${grouped(value)}`).join("; ")}</desc>
      ${bars.map(({ label, value }, index) => html`
        <g class="bar">
          <text class="plot-label" x="0" y=${index * ROW + 16}>${plainText(label, LONGEST_LABEL)}</text>
          <text class="plot-value" x="100%" y=${index * ROW + 16} text-anchor="end">${grouped(value)}</text>
          <rect class="plot-track" x="0" y=${index * ROW + 25} width="100%" height="6" rx="3"/>
          <rect class="plot-bar" x="0" y=${index * ROW + 25} width=${percent(value / most)} height="6" rx="3"/>
        </g>`)}
    </svg>`
}

const percent = (share: number): string => `${Math.round(Math.min(1, share) * 10_000) / 100}%`
