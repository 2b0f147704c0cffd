import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { minuteText, shortDay } from "../../../engine/report/html/Parts.ts"
import { scoreWords } from "../../../engine/plugin/Wording.ts"
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
