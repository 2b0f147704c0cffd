import { grouped } from "../../../engine/plugin/Wording.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"

interface Bar {
  readonly label: string
  /** 0 or more. */
  readonly value: number
}

interface BarChartProps {
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

/** The count of values between two integers, both inclusive. */
interface Band {
  readonly from: number
  readonly to: number
  readonly count: number
}

interface HistogramProps {
  /** The chart's id on its page. */
  readonly id: string
  /** What is counted, for screen readers. */
  readonly title: string
  /** What the values are, below the axis, and what is counted, above the bars. */
  readonly axes: { readonly values: string; readonly counts: string }
  /** Bands of equal width without gaps, lowest first. */
  readonly bands: ReadonlyArray<Band>
}

/** In pixels: the baseline of the bars, and the height of the tallest. */
const [FLOOR, TALLEST] = [184, 136]

/** Vertical bars, each with its count above it and the bounds of its band below. */
export const histogram = ({ axes, bands, id, title }: HistogramProps): VNode => {
  const most = Math.max(1, ...bands.map(({ count }) => count))
  const width = 100 / Math.max(1, bands.length)
  return html`
    <svg class="plot" role="img" aria-labelledby=${`${id}-title`} aria-describedby=${`${id}-desc`} width="100%" height="236">
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${bands.map(({ count, from, to }) => `${from} to ${to}: ${grouped(count)}`).join("; ")}</desc>
      <text class="plot-tick" x="0" y="13">${axes.counts}</text>
      ${bands.map(({ count }, index) => {
        const height = Math.round((TALLEST * count * 10) / most) / 10
        return html`
          <g class="bar">
            <rect class="plot-block" x=${shownPercent(width * (index + 0.06))} y=${FLOOR - height} width=${shownPercent(width * 0.88)} height=${height}/>
            ${count > 0 && html`<text class="plot-value" x=${shownPercent(width * (index + 0.5))} y=${FLOOR - height - 8} text-anchor="middle">${short(count)}</text>`}
          </g>`
      })}
      <line class="plot-axis" x1="0" x2="100%" y1=${FLOOR + 0.5} y2=${FLOOR + 0.5}/>
      ${bands.map(
        ({ from }, index) => html`
        <text class=${index > 0 && index === bands.length - 1 ? "plot-tick roomy" : "plot-tick"} x=${shownPercent(width * index)} y=${FLOOR + 22} text-anchor=${index === 0 ? "start" : "middle"}>${from}</text>`
      )}
      <text class="plot-tick" x="100%" y=${FLOOR + 22} text-anchor="end">${bands.at(-1)?.to ?? ""}</text>
      <text class="plot-tick" x="50%" y=${FLOOR + 46} text-anchor="middle">${axes.values}</text>
    </svg>`
}

const shownPercent = (share: number): string => `${Math.round(share * 100) / 100}%`

/** A tenth of a phone's width holds five characters: 9999, 10k, 123k, 1.2M. */
const short = (count: number): string => {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${Math.round(count / 100_000) / 10}M`
}
