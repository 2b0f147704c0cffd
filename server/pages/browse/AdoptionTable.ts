import { grouped, percent } from "../../../engine/criterion/Wording.ts"
import { codedText } from "../kit/CodedText.ts"
import { columns } from "../kit/Columns.ts"
import { shareBar } from "../kit/ScoreBar.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import type { AdoptedCategory, AdoptedCriterion } from "../../audits/Adoption.ts"

/** The mean of each category as a bar of its points. */
export const categoryMeans = (categories: ReadonlyArray<AdoptedCategory>): VNode => html`
  <ul class="means">${categories.map(
    ({ id, mean, points, title }) => html`
    <li data-category=${id}>
      <span>${title}</span>
      <span class="number"><strong>${mean}</strong><span class="soft"> of ${points} points</span></span>
      ${shareBar({ share: mean / points, height: 8 })}
    </li>`
  )}
  </ul>`

/** How many sites meet each criterion of a category: a bar of those that meet it and those that meet it partly, and the numbers. */
export const adoptionTable = ({ criteria, id, mean, points, title }: AdoptedCategory): VNode => html`
  <section class="adoption" aria-labelledby=${`adoption-${id}`}>
    <h3 id=${`adoption-${id}`}>${title} <span class="soft">mean ${mean} of ${points} points</span></h3>
    <table>
      <caption class="visually-hidden">Share of sites that meet each criterion of the category ${title}</caption>
      ${columns(["rest", "figure", "figure", "figure"], { roomy: 1 })}
      <thead><tr><th scope="col">Criterion</th><th scope="col" class="number">Meet it</th><th scope="col" class="number">Partly</th><th scope="col" class="number roomy">Sites</th></tr></thead>
      <tbody>${criteria.map(row)}</tbody>
    </table>
  </section>`

const row = ({ checked, id, sites, title }: AdoptedCriterion): VNode => html`
  <tr data-key=${id}>
    <th scope="row">
      <a href=${`/rubric/${id}`}><span class="criterion-id">${id}</span> ${codedText(title)}</a>
      ${checked === 0 ? null : bar(sites, checked)}
    </th>
    <td class="number"><strong>${share(sites.present, checked)}</strong></td>
    <td class="number">${share(sites.partial, checked)}</td>
    <td class="number roomy">${grouped(checked)}</td>
  </tr>`

const share = (part: number, whole: number): Content => (whole === 0 ? "–" : percent(part / whole))

const bar = ({ partial, present }: AdoptedCriterion["sites"], checked: number): VNode => html`
  <svg class="adoption-bar" width="100%" height="8" aria-hidden="true" focusable="false">
    <rect class="plot-track" width="100%" height="8"/>
    <rect class="plot-present" width=${width(present / checked)} height="8"/>
    ${partial === 0 ? null : html`<line class="plot-partial" x1=${width(present / checked)} x2=${width((present + partial) / checked)} y1="4" y2="4"/>`}
  </svg>`

const width = (part: number): string => `${Math.round(part * 10_000) / 100}%`
