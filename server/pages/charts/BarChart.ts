import { plainText } from "../../../engine/text/PlainText.ts"
import { html, type VNode } from "../kit/Html.ts"
import { grouped } from "../../../engine/criterion/Wording.ts"

/** One bar: its label and value. */
export interface Bar {
  readonly label: string
  /** 0 or more. */
  readonly value: number
}

export interface BarChartProps {
  /** The chart's id on its page. */
  readonly id: string
  /** What the bars show, for screen readers. */
  readonly title: string
  readonly bars: ReadonlyArray<Bar>
  /** The value of a bar of full length; the largest value by default. */
  readonly full?: number
}

/** In pixels. */
const ROW = 44

/** Longer labels are truncated to fit on a phone. */
const LONGEST_LABEL = 36

/**
 * Horizontal bars, each below its label and value. Lengths are percentages of the chart's width, so that text has the same size
 * on any screen. Renders nothing without bars: the caller says why there are none.
 */
export const barChart = ({ bars, full, id, title }: BarChartProps): VNode => {
  const most = full ?? Math.max(1, ...bars.map(({ value }) => value))
  return html`
    <svg class="plot" role="img" aria-labelledby=${`${id}-title`} aria-describedby=${`${id}-desc`} width="100%" height=${bars.length * ROW}>
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${bars.map(({ label, value }) => `${plainText(label)}: ${grouped(value)}`).join("; ")}</desc>
      ${bars.map(
        ({ label, value }, index) => html`
        <g class="bar">
          <text class="plot-label" x="0" y=${index * ROW + 16}>${plainText(label, LONGEST_LABEL)}</text>
          <text class="plot-value" x="100%" y=${index * ROW + 16} text-anchor="end">${grouped(value)}</text>
          <rect class="plot-track" x="0" y=${index * ROW + 25} width="100%" height="6" rx="3"/>
          <rect class="plot-bar" x="0" y=${index * ROW + 25} width=${percent(value / most)} height="6" rx="3"/>
        </g>`
      )}
    </svg>`
}

const percent = (share: number): string => `${Math.round(Math.min(1, share) * 10_000) / 100}%`
