import type { AuditReport } from "../../../engine/audit/Report.ts"
import { type Content, html } from "../kit/Html.ts"
import { auditedLink, quoted } from "./Audited.ts"

/** What was looked for besides, and earns nothing yet. */
export const signals = ({ base_url, signals: all }: AuditReport): Content => {
  const origin = URL.parse(base_url)?.origin ?? ""
  return all.length === 0 ? null : html`
    <section aria-labelledby="signals">
      <h2 id="signals">Also looked for</h2>
      <p class="soft">Earning nothing yet.</p>
      <div class="table-scroll">
        <table>
          <caption class="visually-hidden">What was looked for besides, and whether it is there</caption>
          <thead><tr><th scope="col">What</th><th scope="col">Seen</th><th scope="col">Where</th></tr></thead>
          <tbody>${all.map(({ id, seen, url }) => html`
            <tr><th scope="row">${quoted(id.replaceAll("_", " "))}</th><td>${seen ? "yes" : "no"}</td><td>${auditedLink(url, origin)}</td></tr>`)}
          </tbody>
        </table>
      </div>
    </section>`
}
