import type { ChangeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import { differInMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { rubricName } from "../../../engine/audit/Report.ts"
import { counted, percent, scoreWords, signed } from "../../../engine/plugin/Wording.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { reportBody } from "../../../engine/report/html/HtmlReport.ts"
import { clock, minute, siteName } from "../../../engine/report/html/Parts.ts"
import { scoreInFull, scoreText } from "../../../engine/report/ReportView.ts"
import { fixSection, historySection, offersPlan, shareSection } from "./Sections.ts"
import { layout, preview } from "../kit/Layout.ts"
import { otherSiteForm } from "./Forms.ts"
import type { RunView } from "./ReportReading.ts"

/** The page of a finished run: the verdict, then what to fix, then all criteria with their evidence. */
export const reportPage = (view: RunView): VNode => {
  const {
    base,
    report,
    run: { id }
  } = view
  const name = siteName(report.base_url)
  const title = `${name}: ${scoreInFull(report)}`
  const description = `How well AI agents can find, read, call and act on ${name}: ${scoreText(report)} of ${report.max_score} points, with the evidence for each.`
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
        ${reportBody(report, view.words, {
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
          rubricPage: view.rubricPath?.of ?? null,
          bar: [
            view.history.length < 2 ? null : serviceLink("history", "History"),
            serviceLink("compare", "Compare"),
            serviceLink("share", "Share")
          ]
        })}
        ${historySection(view)}
        <section data-service class="no-print" aria-labelledby="compare">
          <h2 id="compare">Compare</h2>
          <details>
            <summary>With another site</summary>
            ${otherSiteForm({ runId: view.run.id })}
          </details>
        </section>
        ${shareSection(view)}
      </article>`
  })
}

/** A link of the bar to a section that only the service's page has. */
const serviceLink = (anchor: string, text: string): VNode =>
  html`<li data-service><a href=${`#${anchor}`}>${text}</a></li>`

/** Below this number of sites a share or a mean says little. */
const FEWEST_SITES = 5

/** A notice that the site has a newer report. */
const newerReport = ({ history, run }: RunView): Content => {
  const newest = history.at(-1)
  return newest === undefined || newest.id === run.id
    ? null
    : html`
    <p class="warning newer" data-service><strong>There is a newer report.</strong> <a href=${`/r/${newest.id}`}>${scoreWords(newest.score, newest.reliable)} points on ${minute(newest.startedAt)} UTC</a></p>`
}

/** When on its day the audit began; a run that began the day before its report is dated has none. */
const timeOfDay = ({ report, run: { startedAt } }: RunView): Content =>
  startedAt.startsWith(report.audit_date) ? html`<span data-service>, ${clock(startedAt)} UTC</span>` : null

/** How the score compares with the site's last one, and with all sites. */
const scoreContext = (view: RunView): Content => {
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
const rank = ({ history, report, run, standing: { averageScore, below, sites } }: RunView): string => {
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
