import { FIRST_FIXES, type Fix, includesText } from "../../audit/FixFirst.ts"
import type { AuditReport, CriterionResult, Remedy } from "../../audit/Report.ts"
import { boundText, readingCostText, recipeTexts } from "../SectionWords.ts"
import { counted } from "../../plugin/Wording.ts"
import { effortText } from "../../rubric/definition/Rubric.ts"
import { plainLines } from "../../text/PlainText.ts"
import { fixPrompt } from "../FixPrompt.ts"
import { type ReportView, reportView, type RubricWords, scoreInFull, scoreText, verdictText } from "../ReportView.ts"
import { criteriaByCategory } from "./CriterionDetails.ts"
import { agentsSection, driftSection } from "./DriftAndAgents.ts"
import { type Content, filePage, html, type VNode } from "./Html.ts"
import {
  auditedLink,
  codedText,
  columns,
  copyButton,
  gain,
  quotedText,
  rubricText,
  siteName,
  stepList
} from "./Parts.ts"
import { type KnownAround, levelOf, scoreHead } from "./ScoreHead.ts"

/** What the one who wrote the file says above the report. */
export interface ReportNote {
  readonly title: string
  readonly text: string
}

interface HtmlOptions {
  readonly words: RubricWords
  readonly notes?: ReadonlyArray<ReportNote>
}

const notesAbove = (notes: ReadonlyArray<ReportNote>): Content =>
  notes.length === 0
    ? null
    : html`
    <div class="warning warning-mild" role="note" aria-label="Gate">${notes.map(({ text, title }) => html`<p><strong>${title}:</strong> ${text}</p>`)}</div>`

/** The report as one HTML file with the content of the service's page. */
export const renderHtml = (report: AuditReport, { notes = [], words }: HtmlOptions): string =>
  filePage(`${siteName(report.base_url)}: ${scoreInFull(report)} · docgauge`, [
    notesAbove(notes),
    reportBody(report, words, null)
  ])

/** What the service knows besides the report. Elements of it have `data-service`. */
interface ServiceParts {
  readonly head: KnownAround
  readonly fixIt: Content
  readonly bar: Content
  /** The page about a criterion of the rubric that judged. */
  readonly rubricPage: ((criterion: string) => string) | null
}

/** What a report says: the same on its page and in the file of `--format html`, which has no `parts`. */
export const reportBody = (report: AuditReport, words: RubricWords, parts: ServiceParts | null): Content => {
  const view = reportView(report)
  return [
    scoreHead(view, words, parts?.head ?? null),
    reportBar(report, parts?.bar),
    fixFirst(view, words.why),
    parts?.fixIt,
    criteriaByCategory(view, words.why, parts?.rubricPage ?? null),
    driftSection(view),
    agentsSection(view),
    pagesSeen(view),
    signals(view)
  ]
}

const barLink = (anchor: string, text: string): VNode => html`<li><a href=${`#${anchor}`}>${text}</a></li>`

/** The score and the sections of the page, which stay in view while one scrolls. `more`: links of the service's page alone. */
const reportBar = (report: AuditReport, more: Content): VNode => html`
  <nav class="report-bar no-print" aria-label="On this page">
    <a class="bar-score" href="#main"><strong class=${levelOf(report)}>${scoreText(report)}</strong> <span>${verdictText(report)}</span></a>
    <ul>
      ${barLink("fix-first", "Fix first")}
      ${barLink("criteria", "Criteria")}
      ${(report.pages ?? []).length === 0 ? null : barLink("pages", "Pages")}
      ${more}
    </ul>
  </nav>`

/** What was looked for and earns nothing yet, by name and with what it is good for. */
const signals = ({ origin, signals: all }: ReportView): Content =>
  all.length === 0
    ? null
    : html`
    <section aria-labelledby="signals">
      <h2 id="signals">Also looked for</h2>
      <details>
      <summary>${all.length} files and features that earn no points yet, of which we found ${all.filter(({ seen }) => seen).length}</summary>
      <div class="table-scroll">
        <table class="stacked">
          <caption class="visually-hidden">Other files and features, and whether they were found</caption>
          <thead><tr><th scope="col">What</th><th scope="col">Why</th><th scope="col">Found</th><th scope="col">Where</th></tr></thead>
          <tbody>${all.map(
            ({ about, name, seen, url }) => html`
            <tr><th scope="row">${quotedText(name)}</th><td data-label="Why">${quotedText(about)}</td><td data-label="Found">${seen ? "yes" : "no"}</td><td data-label="Where"><span>${auditedLink(url, origin)}</span></td></tr>`
          )}
          </tbody>
        </table>
      </div>
      </details>
    </section>`

type Page = NonNullable<AuditReport["pages"]>[number]

/** The pages of the sample: what each costs an agent to read, and which criteria have a finding against it. */
const pagesSeen = ({ origin, report }: ReportView): Content => {
  const { pages = [] } = report
  if (pages.length === 0) return null
  const cost = readingCostText(report)
  const most = Math.max(1, ...pages.flatMap(({ tokens }) => [tokens.html ?? 0, tokens.markdown ?? 0]))
  return html`
    <section class="pages-seen" aria-labelledby="pages">
      <h2 id="pages">Pages we looked at</h2>
      ${cost === "" ? null : html`<p>${cost}</p>`}
      <details>
      <summary>${counted(pages.length, "page")}, each with its tokens and the criteria that it loses points in</summary>
      <div class="table-scroll">
        <table class="stacked">
          <caption>${counted(pages.length, "page")} of the site, each with the tokens that an agent pays to read it, and the criteria that have a finding against it</caption>
          ${columns(["rest", "category", "category", "date"])}
          <thead><tr><th scope="col">Page</th><th scope="col" class="number">HTML tokens</th><th scope="col" class="number">Markdown tokens</th><th scope="col">Loses points in</th></tr></thead>
          <tbody>${pages.map((page) => row(page, origin, most))}</tbody>
        </table>
      </div>
      </details>
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

/** What to fix, best first: of each what was found, the first step and how to do it with the site's generator; the rest opens. */
export const fixFirst = (
  { fixes, notApplicable, notChecked, report }: ReportView,
  why: RubricWords["why"]
): Content => {
  const told = { report, why, recipes: recipeTexts(fixes, () => "") }
  return html`
    <section aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      ${
        fixes.length === 0
          ? html`<p>Nothing: ${notChecked.length + notApplicable.length === 0 ? "all points were earned" : "all other points were earned"}.</p>`
          : html`<ol class="fixes">${fixes.slice(0, FIRST_FIXES).map((fix) => entry(fix, told))}</ol>${rest(fixes.slice(FIRST_FIXES), told)}`
      }
      ${apart("Could not be checked", notChecked)}
      ${apart("Not applicable, as we found no HTTP API", notApplicable)}
    </section>`
}

interface ToldFixes {
  readonly report: AuditReport
  readonly why: RubricWords["why"]
  /** How to do each with the site's generator, by criterion. */
  readonly recipes: ReadonlyMap<string, string>
}

const entry = (fix: Fix, { recipes, report, why }: ToldFixes): VNode => {
  const {
    criterion: { id, remedy, summary, title }
  } = fix
  const [first, ...more] = remedy?.steps ?? []
  const waiting = includesText(fix)
  const prompt = `prompt-${id}`
  const reason = why.get(id)
  return html`
    <li>
      <div class="fix">
        <span class="fix-points">${gain(fix)}</span>
        <div>
          <p class="fix-title">${rubricText(title)} <span class="soft small nowrap">${id}${remedy === null ? null : html` · ${effortText(remedy.effort)}`}</span></p>
          <p class="fix-found">${quotedText(summary)}</p>
          ${first === undefined ? null : html`<p class="fix-step">${rubricText(first)}</p>`}
          ${recipe(recipes.get(id), remedy)}
          <details class="fix-more">
            <summary>${summaryLine([...(more.length === 0 ? [] : [`all ${more.length + 1} steps`]), ...(reason === undefined ? [] : ["why it matters"]), "prompt for a coding agent"])}</summary>
            <div class="fix-body">
              ${waiting === "" ? null : html`<p>${waiting}</p>`}
              ${remedy === null ? null : stepList(remedy)}
              ${reason === undefined ? null : html`<p class="soft"><strong>Why it matters:</strong> ${codedText(reason)}</p>`}
              <pre class="snippet" tabindex="0"><code id=${prompt}>${plainLines(fixPrompt(report, fix))}</code></pre>
              <p class="small"><a href=${`#${id}`}>What we found, with the requests</a></p>
            </div>
          </details>
        </div>
      </div>
      ${copyButton("Copy prompt", prompt, `Copy prompt: ${id}`)}
    </li>`
}

/** What an entry opens to, as one line. */
const summaryLine = (parts: ReadonlyArray<string>): string => {
  const line = parts.join(", ")
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** A recipe that an earlier fix has refers to that one. */
const recipe = (text: string | undefined, remedy: Remedy | null): Content => {
  if (text === undefined || remedy?.recipe === undefined) return null
  const isWhole = text.includes(remedy.recipe.do)
  return html`<p class="fix-recipe">${rubricText(text.trimEnd())}${isWhole ? html` <a href=${remedy.recipe.url} rel="noopener noreferrer">Documentation</a>` : null}</p>`
}

const rest = (fixes: ReadonlyArray<Fix>, told: ToldFixes): Content =>
  fixes.length === 0
    ? null
    : html`
    <details class="more-fixes">
      <summary>${counted(fixes.length, "more fix", "more fixes")}, worth ${counted(
        fixes.reduce((sum, fix) => sum + fix.gain, 0),
        "point"
      )}</summary>
      <ol class="fixes" start=${FIRST_FIXES + 1}>${fixes.map((fix) => entry(fix, told))}</ol>
    </details>`

const apart = (label: string, criteria: ReadonlyArray<CriterionResult>): Content =>
  criteria.length === 0
    ? null
    : html`
    <p class="soft">${label}: ${criteria.map(({ id }, index) => html`${index === 0 ? null : ", "}<a href=${`#${id}`}>${id}</a>`)}.</p>`
