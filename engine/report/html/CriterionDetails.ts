import type { CriterionResult, Remedy, ReportedExchange, ReportedFinding } from "../../audit/Report.ts"
import { isApplicable } from "../../audit/FixFirst.ts"
import { counted } from "../../plugin/Wording.ts"
import { effortText } from "../../rubric/definition/Rubric.ts"
import { plainLines, plainText } from "../../text/PlainText.ts"
import { citedIn, curlOf, DOES_NOT_APPLY, outcomeText, type ReportView, type RubricWords } from "../ReportView.ts"
import { type Content, html, type VNode } from "./Html.ts"
import {
  auditedLink,
  breakable,
  codedText,
  NOT_APPLICABLE,
  quotedText,
  recipeText,
  rubricText,
  statusPill,
  stepList
} from "./Parts.ts"

interface Told {
  readonly view: ReportView
  /** Why each criterion matters, by id. */
  readonly why: RubricWords["why"]
  readonly shown: ShownExchanges
  /** The page of the rubric about a criterion; `null`: there is none to link to. */
  readonly rubricPage: ((criterion: string) => string) | null
}

/** All criteria by category, in the order of the rubric; each opens to its findings, the requests behind them, why it matters, and what to do. */
export const criteriaByCategory = (view: ReportView, why: Told["why"], rubricPage: Told["rubricPage"]): Content => {
  const { criteria: all, experimental } = view.report
  const { categories } = view
  const shown = shownExchanges(view, [...categories.flatMap(({ criteria }) => criteria), ...experimental])
  const told = { view, why, shown, rubricPage }
  return html`
    <div class="all-criteria" id="criteria">
      ${criteriaTools({ all: all.length, lost: all.filter(losesPoints).length })}
      ${categories.map((category) =>
        group(categoryAnchor(category.key), category.title, pointsOf(category), category.criteria, told)
      )}
      ${group("on-trial", "On trial", html`<span class="soft">earning nothing yet</span>`, experimental, told)}
    </div>`
}

const pointsOf = ({ applies, max, score }: ReportView["categories"][number]): VNode =>
  applies
    ? html`<span class="number">${score}<span class="soft"> / ${max}</span></span>`
    : html`<span class="soft small">${DOES_NOT_APPLY}</span>`

/** The letter of a category, linked to its criteria on the page. */
export const categoryAnchor = (key: string): string => `category-${key.slice(0, 1)}`

const group = (
  anchor: string,
  title: string,
  points: VNode,
  criteria: ReadonlyArray<CriterionResult>,
  told: Told
): Content =>
  criteria.length === 0
    ? null
    : html`
    <section class="criteria" aria-labelledby=${anchor}>
      <h2 id=${anchor}><span>${title} <a class="anchor no-print" href=${`#${anchor}`} aria-label=${`Link to ${title}`}>#</a></span> ${points}</h2>
      ${criteria.some(losesPoints) ? null : html`<p class="nothing-lost soft">No points lost here.</p>`}
      ${criteria.map((criterion) => details(criterion, told))}
    </section>`

/** The anchor is inside the details element, so that a browser that follows a link to it opens it. */
const details = (criterion: CriterionResult, { rubricPage, shown, view, why }: Told): VNode => {
  const { id, max, remedy, score, title } = criterion
  const { origin, report } = view
  const reason = why.get(id)
  const waits = waitsFor(criterion)
  return html`
    <div class=${losesPoints(criterion) ? "criterion-row" : "criterion-row is-full"}>
      <a class="anchor no-print" href=${`#${id}`} aria-label=${`Link to ${id}`}>#</a>
      <details class="criterion">
        <summary>
          <span class="criterion-id">${id}</span>
          <span class="criterion-title">${rubricText(title)}${waits.length === 0 ? null : html` <span class="soft small">depends on ${eitherOf(waits)}</span>`}</span>
          ${isApplicable(criterion) ? statusPill(criterion.status) : NOT_APPLICABLE}
          ${report.experimental.includes(criterion) ? null : html`<span class="number criterion-points">${isApplicable(criterion) ? score : "–"}<span class="soft"> / ${max}</span></span>`}
        </summary>
        <div class="criterion-body" id=${id}>
          ${findingsOf(criterion, origin, shown)}
          ${waits.length === 0 ? null : html`<p>Fix ${eitherOf(waits.map((other) => html`<a href=${`#${other}`}>${other}</a>`))} first: ${id} can earn nothing before.</p>`}
          ${remedy === null ? null : remedySteps(remedy, criterion, origin)}
          ${exchangesOf(criterion, shown)}
          ${reason === undefined ? null : html`<h3>Why it matters</h3><p>${codedText(reason)}</p>`}
          <p class="small no-print"><a href=${`#${id}`}>Link to ${id}</a>${rubricPage === null ? null : html`<span data-service> · <a href=${rubricPage(id)}>How ${id} is measured</a></span>`}</p>
        </div>
      </details>
    </div>`
}

/** The criteria of which one has to earn points before this one can. */
const waitsFor = (criterion: CriterionResult): ReadonlyArray<string> =>
  isApplicable(criterion) && criterion.status === "absent" ? (criterion.blocked_by ?? []) : []

const eitherOf = (names: ReadonlyArray<Content>): Content =>
  names.map((name, index) => [index === 0 ? null : index === names.length - 1 ? " or " : ", ", name])

/** Those on trial lose none, and are shown by the filter if they could be met better. */
const losesPoints = (criterion: CriterionResult): boolean =>
  isApplicable(criterion) &&
  (criterion.score < criterion.max || criterion.status === "absent" || criterion.status === "partial")

const remedySteps = (remedy: Remedy, { evidence, findings = [], status }: CriterionResult, origin: string): VNode => {
  const shown = new Set([...evidence, ...findings].map(({ url }) => url))
  const others = remedy.addresses.filter((address) => !shown.has(address))
  if (status === "inconclusive" && remedy.steps.length === 0)
    return html`<p>This could not be checked, so we advise nothing.</p>`
  return html`
    <h3>How to fix it <span class="soft small">${effortText(remedy.effort)}</span></h3>
    ${stepList(remedy)}
    ${recipeText(remedy)}
    ${
      others.length === 0
        ? null
        : html`
      <p class="small">It concerns ${others.map((address, index) => html`${index === 0 ? null : ", "}${auditedLink(address, origin)}`)}.</p>`
    }`
}

/** What filters and opens the criteria below: the filter is style alone, and needs no script. It is left out where it would change nothing. */
const criteriaTools = ({ all, lost }: { readonly all: number; readonly lost: number }): VNode => html`
  <div class="criteria-tools no-print">
    ${
      lost === 0 || lost === all
        ? null
        : html`
      <fieldset class="segments">
        <legend class="visually-hidden">Criteria to show</legend>
        <label><input type="radio" name="criteria" id="show-all" checked/> All ${all}</label>
        <label><input type="radio" name="criteria" id="show-lost"/> Lost points ${lost}</label>
      </fieldset>`
    }
    <button class="button button-quiet button-small needs-script" type="button" data-expand>Expand all</button>
  </div>`

/** Findings that are shown at once; the others are folded. */
const OPEN = 5

type Found = Pick<ReportedFinding, "exchange" | "note" | "status" | "url"> & { readonly good: boolean | null }

/** What was found, and what is missing: every finding with the request that proves it, the first five open. */
const findingsOf = (criterion: CriterionResult, origin: string, shown: ShownExchanges): Content => {
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

/** Longer than any command of a URL that is audited. */
const LONGEST_COMMAND = 6_000

/** The exchanges of a report, and the criterion in whose details each is shown: the first that cites it. */
interface ShownExchanges {
  readonly exchanges: ReadonlyArray<ReportedExchange>
  /** Ids of criteria, by index. */
  readonly shownBy: ReadonlyMap<number, string>
}

/** Decides where each exchange is shown; `criteria` are in the order of the page. */
const shownExchanges = (
  { report: { exchanges = [] } }: ReportView,
  criteria: ReadonlyArray<CriterionResult>
): ShownExchanges => {
  const shownBy = new Map<number, string>()
  for (const criterion of criteria)
    for (const index of citedIn(criterion)) if (!shownBy.has(index)) shownBy.set(index, criterion.id)
  return { exchanges, shownBy }
}

/** The requests that a criterion cites, each with its response, as far as no criterion before it shows them. */
const exchangesOf = (criterion: CriterionResult, { exchanges, shownBy }: ShownExchanges): Content => {
  const cited = [...citedIn(criterion)].flatMap((index) => {
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

const exchangeAnchor = (index: number): string => `exchange-${index + 1}`

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
