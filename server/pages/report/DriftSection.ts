import type { AuditReport } from "../../../engine/audit/Report.ts"
import { driftCounts } from "../../../engine/audit/render/SectionWords.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import type { DriftFinding } from "../../../engine/drift/Drift.ts"
import { auditedLink, quotedText } from "../kit/Audited.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { breakable } from "../kit/SiteLabel.ts"

/** Findings that are shown at once; the others are folded. */
const OPEN = 5

/** What was compared, and of each falsehood what the documentation shows beside what the other side has. */
export const driftSection = (report: AuditReport): Content => {
  const { base_url, drift } = report
  const counts = driftCounts(report)
  if (drift === undefined || counts === "") return null
  const { findings, findings_left_out: leftOut = 0 } = drift
  const origin = URL.parse(base_url)?.origin ?? ""
  const items = findings.map((finding) => item(finding, origin))
  return html`
    <section aria-labelledby="drift">
      <h2 id="drift">Where documentation and API description part</h2>
      <p>${counts}<span class="soft"> (examples, calls, tables, and figures such as the base URL).</span></p>
      ${items.length === 0 ? null : html`<ul class="drift">${items.slice(0, OPEN)}</ul>`}
      ${
        items.length <= OPEN
          ? null
          : html`
      <details>
        <summary>${counted(items.length - OPEN, "more finding")}</summary>
        <ul class="drift">${items.slice(OPEN)}</ul>
      </details>`
      }
      ${leftOut === 0 ? null : html`<p class="small">The report leaves out ${counted(leftOut, "more finding")}.</p>`}
    </section>`
}

const item = (finding: DriftFinding, origin: string): VNode => {
  const [shown, against] = SIDES[finding.kind]
  return html`
    <li>
      <p>${quotedText(finding.message)}</p>
      <dl class="drift-pair">
        <div><dt>${shown}</dt><dd>${codes(shownIn(finding))}${placeShown(finding, origin)}</dd></div>
        <div><dt>${finding.other === undefined || finding.other === null ? against : "Other page"}</dt><dd>${codes(wantedIn(finding))}${placeAgainst(finding, origin)}</dd></div>
      </dl>
    </li>`
}

/** What each column is called. */
const SIDES: Readonly<Record<DriftFinding["kind"], readonly [shown: string, against: string]>> = {
  example: ["Example", "Its schema"],
  call: ["Call on the page", "Operation"],
  table: ["Table on the page", "Operation"],
  figure: ["Page", "API description"]
}

const shownIn = ({ call = "", found }: DriftFinding): ReadonlyArray<string> => [call, found]

const wantedIn = ({ expected, likely = "" }: DriftFinding): ReadonlyArray<string> => [likely, expected]

/** Each text once; what is missing has none. */
const codes = (texts: ReadonlyArray<string>): Content =>
  [...new Set(texts)].filter((text) => text !== "").map((text) => html`<code>${breakable(quotedText(text))}</code>`)

const placeShown = ({ description, page }: DriftFinding, origin: string): Content =>
  page === null ? descriptionPlace(description, origin) : pagePlace(page, origin)

/** Of an example both sides are in the description, which is linked once. */
const placeAgainst = ({ description, other, page }: DriftFinding, origin: string): Content => {
  if (other !== undefined && other !== null) return pagePlace(other, origin)
  return page === null ? null : descriptionPlace(description, origin)
}

const pagePlace = ({ line, url }: NonNullable<DriftFinding["page"]>, origin: string): VNode =>
  html`<span class="drift-place">${auditedLink(url, origin)}${line === null ? null : `, line ${line}`}</span>`

const descriptionPlace = (description: DriftFinding["description"], origin: string): Content =>
  description === null
    ? null
    : html`<span class="drift-place">${auditedLink(description.url, origin)}${
        description.pointer === ""
          ? null
          : html` <span class="soft">${breakable(quotedText(description.pointer))}</span>`
      }</span>`
