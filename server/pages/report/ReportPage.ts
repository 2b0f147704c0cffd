import type { ChangeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import { differInMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { FIRST_FIXES, type Fix, fixList, includesText } from "../../../engine/audit/FixFirst.ts"
import { boundText, readingCostText } from "../../../engine/audit/ReadingCost.ts"
import { fixPrompt } from "../../../engine/audit/render/FixPrompt.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted, percent, scoreWords, signed } from "../../../engine/plugin/Wording.ts"
import { effortText } from "../../../engine/rubric/definition/Rubric.ts"
import { plainLines } from "../../../engine/text/PlainText.ts"
import { levelClass } from "../../images/LevelColour.ts"
import { criteriaByCategory } from "../criteria/CriterionDetails.ts"
import { gain, recipeText, stepList } from "../criteria/Steps.ts"
import { fixSection, offersPlan } from "../fix/FixSection.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout, preview } from "../kit/Layout.ts"
import { clock, minute } from "../kit/Moments.ts"
import { auditedLink, codedText, columns, copyButton, quotedText, rubricText, siteName } from "../kit/Parts.ts"
import { otherSiteForm } from "./Forms.ts"
import { type ReportView, type RubricPath, type RubricWords, scoreInFull } from "./ReportView.ts"
import { type KnownAround, scoreHead } from "./ScoreHead.ts"
import { agentsSection, driftSection, historySection, shareSection } from "./Sections.ts"

/** What the service knows besides the report. Elements of it have `data-service`. */
interface ServiceParts {
  readonly head: KnownAround
  readonly fixIt: Content
  readonly bar: Content
  /** Where the rubric that judged is explained. */
  readonly rubric: RubricPath | null
}

/** What a report says: the same on its page and in the file of `--format html`, which has no `parts`. */
export const reportBody = (view: Pick<ReportView, "report" | "words">, parts: ServiceParts | null): Content => [
  scoreHead(view, parts?.head ?? null),
  reportBar(view.report, parts?.bar),
  fixFirst(view.report, view.words.why),
  parts?.fixIt,
  criteriaByCategory({ report: view.report, why: view.words.why, rubricPage: parts?.rubric?.of ?? null }),
  driftSection(view.report),
  agentsSection(view.report),
  pagesSeen(view.report),
  signals(view.report)
]

/** The page of a finished run: the verdict, then what to fix, then all criteria with their evidence. */
export const reportPage = (view: ReportView): VNode => {
  const {
    base,
    report,
    run: { id }
  } = view
  const name = siteName(report.base_url)
  const title = `${name}: ${scoreInFull(report)}`
  const description = `How well AI agents can find, read, call and act on ${name}: ${scoreWords(report.total_score, report.reliability.reliable)} of ${report.max_score} points, with the evidence for each.`
  return layout({
    title,
    description,
    path: `/r/${id}`,
    styles: ["report.css"],
    scripts: ["report.js", "copy.js", ...(offersPlan(view) ? ["fix.js" as const] : [])],
    head: html`
      <link rel="canonical" href=${`${base}/r/${id}`}/>
      <link rel="alternate" type="application/json" href=${`/r/${id}.json`} title="The report as JSON"/>
      <link rel="alternate" type="text/markdown" href=${`/r/${id}.md`} title="The report as Markdown"/>
      ${preview({ base, description, title, url: `${base}/r/${id}`, image: { url: `${base}/r/${id}/og.png`, alt: title } })}`,
    content: html`
      <article class="report">
        ${reportBody(view, {
          head: {
            newer: newerReport(view),
            time: timeOfDay(view),
            context: scoreContext(view),
            rubric:
              view.rubricPath === null
                ? null
                : html`<span data-service> (<a href=${view.rubricPath.whole}>read it</a>)</span>`,
            means: view.means.sites < FEWEST_SITES ? null : view.means
          },
          fixIt: fixSection(view),
          rubric: view.rubricPath,
          bar: [
            view.history.length < 2 ? null : serviceLink("history", "History"),
            serviceLink("compare", "Compare"),
            serviceLink("share", "Share")
          ]
        })}
        ${historySection(view)}
        <section data-service class="no-print" aria-labelledby="compare">
          <h2 id="compare">Compare</h2>
          ${otherSiteForm({ runId: view.run.id })}
        </section>
        ${shareSection(view)}
      </article>`
  })
}

const barLink = (anchor: string, text: string): VNode => html`<li><a href=${`#${anchor}`}>${text}</a></li>`

/** A link of the bar to a section that only the service's page has. */
const serviceLink = (anchor: string, text: string): VNode =>
  html`<li data-service><a href=${`#${anchor}`}>${text}</a></li>`

/** The score and the sections of the page, which stay in view while one scrolls. `more`: links of the service's page alone. */
const reportBar = (
  { max_score: max, pages = [], reliability: { reliable }, total_score: score, verdict }: AuditReport,
  more: Content
): VNode => html`
  <nav class="report-bar no-print" aria-label="On this page">
    <a class="bar-score" href="#main"><strong class=${levelClass(score, max, reliable)}>${scoreWords(score, reliable)}</strong> <span>${reliable ? verdict : "not reliable"}</span></a>
    <ul>
      ${barLink("fix-first", "Fix first")}
      ${barLink("criteria", "Criteria")}
      ${pages.length === 0 ? null : barLink("pages", "Pages")}
      ${more}
    </ul>
  </nav>`

/** What was looked for and earns nothing yet, by name and with what it is good for. */
const signals = ({ base_url, signals: all }: AuditReport): Content => {
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

type Page = NonNullable<AuditReport["pages"]>[number]

/** The pages of the sample: what each costs an agent to read, and which criteria have a finding against it. */
const pagesSeen = (report: AuditReport): Content => {
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

/** Below this number of sites a share or a mean says little. */
const FEWEST_SITES = 5

/** A notice that the site has a newer report. */
const newerReport = ({ history, run }: ReportView): Content => {
  const newest = history.at(-1)
  return newest === undefined || newest.id === run.id
    ? null
    : html`
    <p class="warning newer" data-service><strong>There is a newer report.</strong> <a href=${`/r/${newest.id}`}>${scoreWords(newest.score, newest.reliable)} points on ${minute(newest.startedAt)} UTC</a></p>`
}

/** When on its day the audit began; a run that began the day before its report is dated has none. */
const timeOfDay = ({ report, run: { startedAt } }: ReportView): Content =>
  startedAt.startsWith(report.audit_date) ? html`<span data-service>, ${clock(startedAt)} UTC</span>` : null

/** How the score compares with the site's last one, and with all sites. */
const scoreContext = (view: ReportView): Content => {
  const { change, report, run, standing } = view
  const told = [
    ...(change === null || !areReliable(change)
      ? []
      : [
          differInMajor(change.before, report)
            ? html`Was <a href=${`/r/${run.id}/compare`}>${change.before.total_score}</a> under ${rubricName(change.before.rubric)}.`
            : html`<a href=${`/r/${run.id}/compare`}>${difference(change.before.total_score, report.total_score)}</a> since the audit of ${minute(change.startedAt)} UTC.`
        ]),
    ...(standing.sites < FEWEST_SITES ? [] : [rank(view)])
  ]
  return told.length === 0
    ? null
    : html`<p class="context" data-service>${told.map((text, index) => html`${index === 0 ? null : " "}${text}`)}</p>`
}

/** All sites are counted by their newest reliable score, so no other score of a site has a rank among them. */
const rank = ({ history, report, run, standing: { averageScore, below, sites } }: ReportView): string => {
  const mean = `mean of ${counted(sites, "audited site")} is ${averageScore}.`
  if (!report.reliability.reliable) return `Not ranked, as it is not reliable; the ${mean}`
  return history.findLast(({ reliable }) => reliable)?.id === run.id
    ? `Higher than ${percent(Math.min(1, below / (sites - 1)))} of the ${sites - 1} other audited sites; the mean of all is ${averageScore}.`
    : `The ${mean}`
}

/** Between scores of which one is only a lower bound, a difference says nothing. */
const areReliable = ({ after, before }: ChangeSince): boolean =>
  before.reliability.reliable && after.reliability.reliable

const difference = (before: number, after: number): string =>
  before === after ? "No change" : `${signed(after - before)} ${Math.abs(after - before) === 1 ? "point" : "points"}`

/** What to fix, best first, each row with its first step and opening to the rest; then what is not advised, and why. */
export const fixFirst = (report: AuditReport, why: RubricWords["why"]): Content => {
  const { fixes, notApplicable, notChecked } = fixList(report)
  return html`
    <section aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      ${
        fixes.length === 0
          ? html`<p>Nothing: ${notChecked.length + notApplicable.length === 0 ? "all points were earned" : "all other points were earned"}.</p>`
          : html`<ol class="fixes">${fixes.slice(0, FIRST_FIXES).map((fix) => entry(report, fix, why))}</ol>${rest(report, fixes.slice(FIRST_FIXES), why)}`
      }
      ${apart("Could not be checked", notChecked)}
      ${apart("Not applicable, as we found no HTTP API", notApplicable)}
    </section>`
}

const entry = (report: AuditReport, fix: Fix, why: RubricWords["why"]): VNode => {
  const {
    criterion: { id, remedy, summary, title }
  } = fix
  const [first] = remedy?.steps ?? []
  const waiting = includesText(fix)
  const prompt = `prompt-${id}`
  const reason = why.get(id)
  return html`
    <li>
      <details class="fix">
        <summary>
          <span class="fix-points">${gain(fix)}</span>
          <span class="fix-title">${rubricText(title)} <span class="soft small nowrap">${id}${remedy === null ? null : html` · ${effortText(remedy.effort)}`}</span></span>
          ${first === undefined ? null : html`<span class="fix-step">${rubricText(first)}</span>`}
        </summary>
        <div class="fix-body">
          <p>${quotedText(summary)}${waiting === "" ? null : ` ${waiting}`}</p>
          ${reason === undefined ? null : html`<p class="soft"><strong>Why it matters:</strong> ${codedText(reason)}</p>`}
          ${remedy === null ? null : [stepList(remedy), recipeText(remedy)]}
          <details>
            <summary>Prompt for a coding agent</summary>
            <pre class="snippet" tabindex="0"><code id=${prompt}>${plainLines(fixPrompt(report, fix))}</code></pre>
          </details>
          <p class="small"><a href=${`#${id}`}>What we found, with the requests</a></p>
        </div>
      </details>
      ${copyButton("Copy prompt", prompt, `Copy prompt: ${id}`)}
    </li>`
}

const rest = (report: AuditReport, fixes: ReadonlyArray<Fix>, why: RubricWords["why"]): Content =>
  fixes.length === 0
    ? null
    : html`
    <details class="more-fixes">
      <summary>${counted(fixes.length, "more fix", "more fixes")}, worth ${counted(
        fixes.reduce((sum, fix) => sum + fix.gain, 0),
        "point"
      )}</summary>
      <ol class="fixes" start=${FIRST_FIXES + 1}>${fixes.map((fix) => entry(report, fix, why))}</ol>
    </details>`

const apart = (label: string, criteria: ReadonlyArray<CriterionResult>): Content =>
  criteria.length === 0
    ? null
    : html`
    <p class="soft">${label}: ${criteria.map(({ id }, index) => html`${index === 0 ? null : ", "}<a href=${`#${id}`}>${id}</a>`)}.</p>`
