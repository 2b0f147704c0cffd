import { curlOf, outcomeText } from "../../../engine/audit/render/Curl.ts"
import type { ReportedExchange } from "../../../engine/audit/exchanges/ReportedExchange.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { plainLines, plainText } from "../../../engine/text/PlainText.ts"
import { breakable } from "../kit/SiteLabel.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

/** Longer than any command of a URL that is audited. */
const LONGEST_COMMAND = 6_000

/** The exchanges of a report, and the criterion in whose details each is shown: the first that cites it. */
export interface ShownExchanges {
  readonly exchanges: ReadonlyArray<ReportedExchange>
  /** Ids of criteria, by index. */
  readonly shownBy: ReadonlyMap<number, string>
}

/** Decides where each exchange is shown; `criteria` are in the order of the page. */
export const shownExchanges = (
  { exchanges = [] }: AuditReport,
  criteria: ReadonlyArray<CriterionResult>
): ShownExchanges => {
  const shownBy = new Map<number, string>()
  for (const criterion of criteria)
    for (const index of citedIn(criterion)) if (!shownBy.has(index)) shownBy.set(index, criterion.id)
  return { exchanges, shownBy }
}

const citedIn = ({ evidence, findings = [] }: CriterionResult): ReadonlyArray<number> => [
  ...new Set([...evidence, ...findings].flatMap(({ exchange }) => exchange ?? []))
]

/** The requests that a criterion cites, each with its response, as far as no criterion before it shows them. */
export const exchangesOf = (criterion: CriterionResult, { exchanges, shownBy }: ShownExchanges): Content => {
  const cited = citedIn(criterion).flatMap((index) => {
    const exchange = exchanges[index]
    return exchange === undefined ? [] : [{ index, exchange }]
  })
  if (cited.length === 0) return null
  const [own, others] = [
    cited.filter(({ index }) => shownBy.get(index) === criterion.id),
    cited.filter(({ index }) => shownBy.get(index) !== criterion.id)
  ]
  return html`
    <details class="exchanges">
      <summary>${counted(cited.length, "request")} and ${cited.length === 1 ? "its response" : "their responses"}</summary>
      ${own.map(({ exchange, index }) => oneExchange(exchange, index))}
      ${
        others.length === 0
          ? null
          : html`
        <p class="small">Shown above: ${others.map(({ exchange, index }, place) => html`${place === 0 ? null : ", "}<a href=${`#${exchangeAnchor(index)}`}>${shortUrl(exchange.url)}</a>`)}.</p>`
      }
    </details>`
}

/** The anchor of an exchange on the page. */
export const exchangeAnchor = (index: number): string => `exchange-${index + 1}`

const shortUrl = (url: string): string => plainText(URL.parse(url)?.pathname ?? url, 80)

const oneExchange = (exchange: ReportedExchange, index: number): VNode => {
  const { body, headers, method, redirects = [], url } = exchange
  const command = curlOf(exchange)
  return html`
    <div class="exchange" id=${exchangeAnchor(index)}>
      <div data-code=${command === null ? undefined : "Copy as curl"}><pre class="snippet" tabindex="0"><code>${breakable(plainText(command ?? `${method} ${url}`, LONGEST_COMMAND))}</code></pre></div>
      ${command === null ? html`<p class="small">This request was never sent.</p>` : null}
      <p class="small">${plainText(outcomeText(exchange))}</p>
      ${redirects.length === 0 ? null : html`<ol class="small">${redirects.map(({ location, status }) => html`<li>${status} to ${plainText(location)}</li>`)}</ol>`}
      ${
        headers.length + (body ?? "").length === 0
          ? null
          : html`
        <pre class="snippet response" tabindex="0"><code>${[...headers.map((header) => plainText(header)), ...(body === null ? [] : ["", plainLines(body)])].join("\n")}</code></pre>`
      }
    </div>`
}
