import type { AuditReport } from "../../../engine/audit/Report.ts"
import { type Content, html } from "../kit/Html.ts"
import { auditedLink, quotedText } from "../kit/Audited.ts"

/** What was looked for and earns nothing yet, by name and with what it is good for. */
export const signals = ({ base_url, signals: all }: AuditReport): Content => {
  const origin = URL.parse(base_url)?.origin ?? ""
  return all.length === 0
    ? null
    : html`
    <section aria-labelledby="signals">
      <h2 id="signals">Also looked for</h2>
      <p class="soft">These earn no points yet.</p>
      <div class="table-scroll">
        <table class="stacked">
          <caption class="visually-hidden">Other files and features, and whether they were found</caption>
          <thead><tr><th scope="col">What</th><th scope="col">Why</th><th scope="col">Found</th><th scope="col">Where</th></tr></thead>
          <tbody>${all.map(
            ({ detail = "", id, name = id.replaceAll("_", " "), seen, url, why = "" }) => html`
            <tr><th scope="row">${quotedText(name)}</th><td data-label="Why">${quotedText(`${why} ${detail}`.trimEnd())}</td><td data-label="Found">${seen ? "yes" : "no"}</td><td data-label="Where"><span>${auditedLink(url, origin)}</span></td></tr>`
          )}
          </tbody>
        </table>
      </div>
    </section>`
}
