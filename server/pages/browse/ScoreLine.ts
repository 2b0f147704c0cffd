import { shownName } from "../../../engine/text/ShownName.ts"
import { type Moment, timeChart, type TimeMark } from "../charts/TimeChart.ts"
import { html, type VNode } from "../kit/Html.ts"

export interface ScoreLineProps {
  /** The chart's id on its page. */
  readonly id: string
  readonly site: string
  /** Oldest first; at least one. */
  readonly moments: ReadonlyArray<Moment>
  readonly marks?: ReadonlyArray<TimeMark>
}

/** With more points than this, dots of the usual size would cover the line on a phone. */
const MANY = 40

/** A site's score over time. */
export const scoreLine = ({ id, marks = [], moments, site }: ScoreLineProps): VNode => html`
  <div class=${moments.length > MANY ? "score-line dense" : "score-line"}>
    ${timeChart({ id, title: `Score of ${shownName(site).text} over time`, moments, marks })}
  </div>`
