import { plainText } from "../../../engine/text/PlainText.ts"
import type { Widget } from "../../api/DashboardBody.ts"
import { columns } from "../kit/Columns.ts"
import { html, type VNode } from "../kit/Html.ts"
import { scoreNumber, shareBar } from "../kit/ScoreBar.ts"
import { siteLink } from "./SiteLink.ts"

type Comparison = Extract<Widget, { readonly kind: "category_comparison" }>

/** Sites side by side, category by category: the points, and a bar of the share earned. */
export const categoryTable = ({ sites, title }: Comparison): VNode => {
  const categories = new Map(
    sites.flatMap((site) => site.categories.map((category) => [category.key, category.title] as const))
  )
  return html`
    <div class="table-scroll" role="group" aria-label=${plainText(title)} tabindex="0">
      <table class="categories">
        <caption>Points by category, of each site's newest audit</caption>
        ${columns(["site", ...Array.from(categories, () => "category" as const), "figure"])}
        <thead>
          <tr><th scope="col">Site</th>${[...categories.values()].map((name) => html`<th scope="col">${name}</th>`)}<th scope="col" class="number">Score</th></tr>
        </thead>
        <tbody>
          ${sites.map(
            (site) => html`
            <tr>
              <th scope="row">${siteLink(site.base_url)}</th>
              ${[...categories].map(([key, name]) =>
                categoryCell(
                  name,
                  site.categories.find((category) => category.key === key)
                )
              )}
              <td class="number" data-label="Score"><a href=${`/r/${site.run_id}`}>${scoreNumber(site.score, site.reliable)}</a></td>
            </tr>`
          )}
        </tbody>
      </table>
    </div>`
}

const categoryCell = (name: string, category: Comparison["sites"][number]["categories"][number] | undefined): VNode =>
  category === undefined
    ? html`<td data-label=${name}>–</td>`
    : html`
    <td class="category-cell" data-label=${name}>
      <span>${category.score}<span class="soft"> / ${category.max}</span></span>
      ${shareBar({ name: "score-bar", share: category.score / Math.max(1, category.max), height: 6 })}
    </td>`
