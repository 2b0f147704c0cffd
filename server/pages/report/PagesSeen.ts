import type { AuditReport } from "../../../engine/audit/Report.ts"
import { boundText, readingCostText } from "../../../engine/audit/ReadingCost.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { auditedLink, quotedText } from "../kit/Audited.ts"

type Page = NonNullable<AuditReport["pages"]>[number]

/** The pages of the sample: what each costs an agent to read, and which criteria have a finding against it. */
export const pagesSeen = (report: AuditReport): Content => {
  const { base_url: url, pages = [] } = report
  if (pages.length === 0) return null
  const origin = URL.parse(url)?.origin ?? ""
  const cost = readingCostText(report)
  const most = Math.max(1, ...pages.flatMap(({ tokens }) => [tokens.html ?? 0, tokens.markdown ?? 0]))
  return html`
    <section class="pages-seen" aria-labelledby="pages">
      <h2 id="pages">Pages we looked at</h2>
      ${cost === "" ? null : html`<p>${cost}</p>`}
      <div class="table-scroll">
        <table class="stacked">
          <caption>${counted(pages.length, "page")} of the site, each with the tokens that an agent pays to read it, and the criteria that have a finding against it</caption>
          ${columns(["rest", "category", "category", "date"])}
          <thead><tr><th scope="col">Page</th><th scope="col" class="number">HTML tokens</th><th scope="col" class="number">Markdown tokens</th><th scope="col">Loses points in</th></tr></thead>
          <tbody>${pages.map((page) => row(page, origin, most))}</tbody>
        </table>
      </div>
    </section>`
}

const row = ({ failed, status, title, tokens, url }: Page, origin: string, most: number): VNode => html`
  <tr>
    <th scope="row">${auditedLink(url, origin)}${status === 200 ? null : html` <span class="soft">${status ?? "no answer"}</span>`}<span class="page-title">${quotedText(title)}</span></th>
    <td class="number" data-label="HTML tokens">${weight(tokens, "html", most, "not HTML")}</td>
    <td class="number" data-label="Markdown tokens">${weight(tokens, "markdown", most, "none")}</td>
    <td data-label="Loses points in"><span>${failed.length === 0 ? "–" : failed.map((id, index) => html`${index === 0 ? null : " "}<a href=${`#${id}`}>${id}</a>`)}</span></td>
  </tr>`

/** The number, and how it compares with the heaviest page. */
const weight = (tokens: Page["tokens"], form: "html" | "markdown", most: number, none: string): Content => {
  const count = tokens[form]
  return count === null
    ? html`<span class="soft">${none}</span>`
    : html`
    ${boundText(count, tokens.at_least?.includes(form) === true)}
    <svg class="weight" width="100%" height="4" aria-hidden="true" focusable="false"><rect class="plot-bar" width=${`${Math.round((count / most) * 1_000) / 10}%`} height="4" rx="2"/></svg>`
}
