import type { CriterionResult, ReportedFinding } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { auditedLink, quotedText } from "../kit/Audited.ts"
import { exchangeAnchor, type ShownExchanges } from "./Exchanges.ts"

/** Findings that are shown at once; the others are folded. */
const OPEN = 5

type Found = Pick<ReportedFinding, "exchange" | "note" | "status" | "url"> & { readonly good: boolean | null }

/** What was found, and what is missing: every finding with the request that proves it, the first five open. */
export const findingsOf = (criterion: CriterionResult, origin: string, shown: ShownExchanges): Content => {
  const { evidence, findings, findings_left_out: leftOut = 0, summary } = criterion
  // Reports of older engines do not say which findings speak for the site.
  const all: ReadonlyArray<Found> = findings ?? evidence.map((item) => ({ ...item, good: null }))
  const missing = all.filter(({ good, note }) => good === false && note !== summary)
  const found = all.filter((finding) => !missing.includes(finding))
  return html`
    <h3>What we found</h3>
    <p class="found">${quotedText(summary)}</p>
    ${list(found, summary, origin, shown)}
    ${missing.length === 0 ? null : html`<h3>What is missing or wrong</h3>${list(missing, summary, origin, shown)}`}
    ${leftOut === 0 ? null : html`<p class="small">The report leaves out ${counted(leftOut, "more finding")}.</p>`}`
}

const list = (findings: ReadonlyArray<Found>, summary: string, origin: string, shown: ShownExchanges): Content => {
  const items = findings.map((finding) => item(finding, summary, origin, shown))
  return [
    html`<ul class="evidence">${items.slice(0, OPEN)}</ul>`,
    items.length <= OPEN
      ? null
      : html`
      <details>
        <summary>${counted(items.length - OPEN, "more finding")}</summary>
        <ul class="evidence">${items.slice(OPEN)}</ul>
      </details>`
  ]
}

const item = (
  { exchange, note, status, url }: Found,
  summary: string,
  origin: string,
  { exchanges }: ShownExchanges
): VNode => {
  const told = status ?? "no answer"
  return html`
    <li>
      <span class="http-status">${exchange === undefined || exchanges[exchange] === undefined ? told : html`<a href=${`#${exchangeAnchor(exchange)}`}>${told}</a>`}</span>
      <span>${auditedLink(url, origin)}${note === summary ? null : html`<q>${quotedText(note)}</q>`}</span>
    </li>`
}
