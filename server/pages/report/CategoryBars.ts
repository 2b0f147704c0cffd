import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/plugin/Wording.ts"
import { DOES_NOT_APPLY } from "../kit/Parts.ts"
import { categoryAnchor } from "../criteria/CriterionDetails.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

/** The mean of each category over all sites whose criteria are known. */
export interface CategoryMeans {
  readonly sites: number
  /** Of the points of each category, by its letter: reports of other rubrics have other points. */
  readonly shares: Readonly<Record<string, number>>
}

/**
 * The points of each category as a bar: what was earned, what was lost, and apart from it what could not be checked or does not
 * apply. `means`, which only the service knows, are marked.
 */
export const categoryBars = ({ categories, criteria }: AuditReport, means: CategoryMeans | null): Content => [
  html`
    <ul class="category-bars" aria-label="Points by category">
      ${Object.entries(categories).map(([key, { max, score, title }]) => {
        const letter = key.slice(0, 1)
        const own = criteria.filter(({ id }) => id.startsWith(letter))
        return row({
          letter,
          max,
          score,
          title,
          anchor: categoryAnchor(key),
          mean: means?.shares[letter] ?? null,
          unchecked: lostIn(own.filter(({ status }) => status === "inconclusive")),
          inapplicable: lostIn(own.filter((criterion) => !isApplicable(criterion)))
        })
      })}
    </ul>`,
  means === null
    ? null
    : html`<p class="soft small mean-key" data-service><span class="key-mean" aria-hidden="true"></span> mean of ${counted(means.sites, "site")}</p>`
]

const lostIn = (criteria: ReadonlyArray<CriterionResult>): number =>
  criteria.reduce((sum, { max, score }) => sum + max - score, 0)

interface Row {
  readonly anchor: string
  readonly letter: string
  readonly title: string
  readonly score: number
  readonly max: number
  /** A share of the points. */
  readonly mean: number | null
  /** Points that could not be checked. */
  readonly unchecked: number
  /** Points of criteria that do not apply. */
  readonly inapplicable: number
}

const percentage = (share: number): string => `${Math.round(share * 10_000) / 100}%`

const row = ({ anchor, inapplicable, letter, max, mean, score, title, unchecked }: Row): VNode => {
  const share = (points: number): string => percentage(points / Math.max(1, max))
  const judged = max - unchecked - inapplicable
  return html`
    <li>
      <span>
        <a href=${`#${anchor}`}>${title}</a>
        ${unchecked === 0 ? null : html` <span class="soft small">${counted(unchecked, "point")} not checked</span>`}
        ${inapplicable === 0 ? null : html` <span class="soft small">${inapplicable === max ? DOES_NOT_APPLY : `${counted(inapplicable, "point")} not applicable`}</span>`}
      </span>
      <span class="number">${inapplicable === max ? "–" : score}<span class="soft"> / ${max}</span></span>
      <svg width="100%" height="12" aria-hidden="true" focusable="false" data-category=${letter}>
        ${judged <= 0 ? null : html`<rect class="plot-track" y="2" width=${share(judged)} height="8" rx="4"/>`}
        ${score === 0 ? null : html`<rect class="plot-bar" y="2" width=${share(score)} height="8" rx="4"/>`}
        ${unchecked === 0 ? null : html`<line class="plot-unchecked" x1=${share(judged)} x2=${share(judged + unchecked)} y1="6" y2="6"/>`}
        ${inapplicable === 0 ? null : html`<line class="plot-inapplicable" x1=${share(judged + unchecked)} x2="100%" y1="6" y2="6"/>`}
        ${mean === null || judged <= 0 ? null : html`<line class="plot-mean" data-service x1=${percentage(mean)} x2=${percentage(mean)} y1="0" y2="12"/>`}
      </svg>
    </li>`
}
