import { scoreWords } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { preview } from "../kit/Metadata.ts"
import { siteName } from "../kit/Audited.ts"
import { criteriaByCategory } from "../criteria/CriterionDetails.ts"
import { agentsSection } from "./AgentsSection.ts"
import { driftSection } from "./DriftSection.ts"
import { fixFirst } from "./FixFirst.ts"
import { fixSection, offersPlan } from "../fix/FixSection.ts"
import { FEWEST_SITES, newerReport, scoreContext, timeOfDay } from "./Context.ts"
import { historySection } from "./HistorySection.ts"
import { pagesSeen } from "./PagesSeen.ts"
import { reportBar, serviceLink } from "./ReportBar.ts"
import { type ReportView, type RubricPath, scoreInFull } from "./ReportView.ts"
import { type KnownAround, scoreHead } from "./ScoreHead.ts"
import { otherSiteForm } from "./OtherSiteForm.ts"
import { shareSection } from "./ShareSection.ts"
import { signals } from "./SignalsTable.ts"

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
