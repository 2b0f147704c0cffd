import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { minuteText, shortDay } from "../../../engine/report/html/Parts.ts"
import { scoreWords, grouped } from "../../../engine/plugin/Wording.ts"
import { plainText } from "../../../engine/text/PlainText.ts"

/** A value at a time. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string
  /** 0 to 100. */
  readonly value: number
  /** Whether to highlight it as the page's subject. */
  readonly isHere?: boolean
  /** `false`: at least the value. */
  readonly isReliable?: boolean
}

/** An event that explains the line. */
export interface TimeMark {
  /** RFC 3339. */
  readonly at: string
  /** A few words. */
  readonly label: string
}

export interface TimeChartProps {
  /** The chart's id on its page. */
  readonly id: string
  /** What the line shows, for screen readers. */
  readonly title: string
  /** Oldest first; at least one. */
  readonly moments: ReadonlyArray<Moment>
  /** Oldest first. */
  readonly marks?: ReadonlyArray<TimeMark>
}

/** In pixels: the y positions of the highest and lowest value, and the chart's height. */
const [TOP, FLOOR, HEIGHT] = [28, 204, 236]

/** Room before the first point, where the values of the lines are, and after the last one, in per cent of the width. */
const [BEFORE, AFTER] = [9, 2]

/**
 * A line over time, with events marked as dashed lines below their labels. Widths are percentages, so that text has the same
 * size on any screen. The newest value is written beside its dot; all are in the description and in each dot's tooltip.
 */
export const timeChart = ({ id, marks = [], moments, title }: TimeChartProps): VNode => {
  const place = placesOf([...moments, ...marks].map(({ at }) => Date.parse(at)))
  const yOf = (value: number): number => round(FLOOR - ((FLOOR - TOP) * value) / 100)
  const newest = moments.at(-1)
  const ends = [moments.at(0), moments.length > 1 ? newest : undefined]
  const days = new Set(moments.map(({ at }) => shortDay(at))).size
  const isOneDay = days === 1 && moments.length > 1
  const whenOf = days < moments.length ? minuteText : shortDay
  return html`
    <svg class="plot" role="img" aria-labelledby=${`${id}-title`} aria-describedby=${`${id}-desc`} width="100%" height=${HEIGHT}>
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${described(moments, marks, whenOf)}</desc>
      ${[100, 50, 0].map(
        (value) => html`
        <line class=${value === 0 ? "plot-axis" : "plot-grid"} x1="0" x2="100%" y1=${yOf(value)} y2=${yOf(value)}/>
        <text class="plot-tick" x="0" y=${yOf(value) - 5}>${value === 100 ? `${value} points` : value}</text>`
      )}
      ${apart(marks.map(({ at, label }) => ({ place: place(at), label: plainText(label, 40) }))).map(mark)}
      <svg x="0" y=${TOP} width="100%" height=${FLOOR - TOP} viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">
        <polyline class="plot-line" points=${moments.map(({ at, value }) => `${place(at)},${round(100 - value)}`).join(" ")}/>
      </svg>
      ${moments.map(
        ({ at, isHere = false, isReliable = true, value }) => html`
        <circle class=${`${isHere ? "plot-here" : "plot-dot"}${isReliable ? "" : " plot-unreliable"}`} cx=${`${place(at)}%`} cy=${yOf(value)} r=${isHere ? 6 : 4} data-at=${at} data-value=${value}>
          <title>${whenOf(at)}: ${scoreWords(value, isReliable)}</title>
        </circle>`
      )}
      ${
        newest === undefined
          ? null
          : html`
        <text class="plot-value" x=${`${place(newest.at)}%`} y=${valueAt(yOf(newest.value))} text-anchor=${moments.length === 1 ? "middle" : "end"} aria-hidden="true">${newest.isReliable === false ? `≥ ${newest.value}` : newest.value}</text>`
      }
      ${ends.map(
        (moment, index) =>
          moment &&
          html`
        <text class="plot-tick" x=${index === 0 ? "0" : "100%"} y=${HEIGHT - 8} text-anchor=${index === 0 ? "start" : "end"}>${isOneDay ? timeOf(moment.at) : shortDay(moment.at)}</text>`
      )}
    </svg>`
}

/** Above the dot of a value, or below it near the top of the chart, where the labels of marks are. */
const valueAt = (y: number): number => (y < TOP + 24 ? y + 26 : y - 14)

interface PlacedMark {
  /** In per cent of the width. */
  readonly place: number
  /** Empty if there is no room. */
  readonly label: string
}

/** The width of a mark's label, in per cent of a phone's width. */
const LABEL_ROOM = 30

/** Of marks close to each other only the newest has a label, because labels would overlap. */
const apart = (marks: ReadonlyArray<PlacedMark>): ReadonlyArray<PlacedMark> => {
  let free = Number.POSITIVE_INFINITY
  return marks.toReversed().map((placed) => {
    if (placed.place > free) return { ...placed, label: "" }
    free = placed.place - LABEL_ROOM
    return placed
  })
}

/** Labels stay within the chart: in the right half they end at their mark. */
const mark = ({ label, place }: PlacedMark): VNode => html`
  <g class="mark">
    <line class="plot-mark" x1=${`${place}%`} x2=${`${place}%`} y1=${TOP - 10} y2=${FLOOR}/>
    ${label === "" ? null : html`<text class="plot-tick" x=${`${place}%`} y=${TOP - 15} text-anchor=${place > 50 ? "end" : "start"}>${label}</text>`}
  </g>`

const described = (
  moments: ReadonlyArray<Moment>,
  marks: ReadonlyArray<TimeMark>,
  whenOf: (at: string) => string
): string =>
  [
    ...moments.map(({ at, isReliable = true, value }) => ({ at, text: scoreWords(value, isReliable) })),
    ...marks.map(({ at, label }) => ({ at, text: plainText(label, 40) }))
  ]
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ at, text }) => `${whenOf(at)}: ${text}`)
    .join("; ")

/** The x position of a time, in per cent of the width. */
const placesOf = (times: ReadonlyArray<number>): ((at: string) => number) => {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const span = last - first
  return (at) => (span === 0 ? 50 : round(BEFORE + ((100 - BEFORE - AFTER) * (Date.parse(at) - first)) / span))
}

const round = (value: number): number => Math.round(value * 100) / 100

const TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC"
})

const timeOf = (at: string): string => TIME.format(new Date(at))

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
const [BASELINE, TALLEST] = [184, 136]

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
            <rect class="plot-block" x=${shownPercent(width * (index + 0.06))} y=${BASELINE - height} width=${shownPercent(width * 0.88)} height=${height}/>
            ${count > 0 && html`<text class="plot-value" x=${shownPercent(width * (index + 0.5))} y=${BASELINE - height - 8} text-anchor="middle">${short(count)}</text>`}
          </g>`
      })}
      <line class="plot-axis" x1="0" x2="100%" y1=${BASELINE + 0.5} y2=${BASELINE + 0.5}/>
      ${bands.map(
        ({ from }, index) => html`
        <text class=${index > 0 && index === bands.length - 1 ? "plot-tick roomy" : "plot-tick"} x=${shownPercent(width * index)} y=${BASELINE + 22} text-anchor=${index === 0 ? "start" : "middle"}>${from}</text>`
      )}
      <text class="plot-tick" x="100%" y=${BASELINE + 22} text-anchor="end">${bands.at(-1)?.to ?? ""}</text>
      <text class="plot-tick" x="50%" y=${BASELINE + 46} text-anchor="middle">${axes.values}</text>
    </svg>`
}

const shownPercent = (share: number): string => `${round(share)}%`

/** A tenth of a phone's width holds five characters: 9999, 10k, 123k, 1.2M. */
const short = (count: number): string => {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${Math.round(count / 100_000) / 10}M`
}
