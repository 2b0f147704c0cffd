import { scoreWords } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteName } from "../kit/Audited.ts"
import { criteriaByCategory } from "./CriterionDetails.ts"
import { fixFirst } from "./FixFirst.ts"
import { fixSection, offersPlan } from "../fix/FixSection.ts"
import { historySection } from "./HistorySection.ts"
import { type ReportView, scoreInFull } from "./ReportView.ts"
import { scoreHead } from "./ScoreHead.ts"
import { shareSection } from "./ShareSection.ts"
import { signals } from "./Signals.ts"

/** What a report says, without what only the service knows: the same on its page and in the file of `--format html`. */
export const reportBody = (view: Pick<ReportView, "report" | "words">, { fixIt = null, linksRubric = true }: { readonly fixIt?: Content; readonly linksRubric?: boolean } = {}): Content => [
  scoreHead(view),
  fixFirst(view.report),
  fixIt,
  criteriaByCategory({ ...view, linksRubric }),
  signals(view.report)
]

/** The page of a finished run: the verdict, then what to fix, then all criteria with their evidence. */
export const reportPage = (view: ReportView): VNode => {
  const { base, report, run: { id } } = view
  const name = siteName(report.base_url)
  const title = `${name}: ${scoreInFull(report)}`
  const description = `How well AI agents can find, read, call and act on ${name}: ${scoreWords(report.total_score, report.reliability.reliable)} of ${report.max_score} points, with the evidence for each.`
  return layout({
    title,
    description,
    path: `/r/${id}`,
    styles: ["report.css"],
    scripts: ["report.js", ...(offersPlan(view) ? ["fix.js" as const] : [])],
    head: html`
      <link rel="canonical" href=${`${base}/r/${id}`}/>
      <link rel="alternate" type="application/json" href=${`/r/${id}.json`} title="The report as JSON"/>
      <link rel="alternate" type="text/markdown" href=${`/r/${id}.md`} title="The report as Markdown"/>
      <meta property="og:type" content="article"/>
      <meta property="og:site_name" content="docgauge"/>
      <meta property="og:title" content=${title}/>
      <meta property="og:description" content=${description}/>
      <meta property="og:url" content=${`${base}/r/${id}`}/>
      <meta property="og:image" content=${`${base}/r/${id}/og.png`}/>
      <meta property="og:image:type" content="image/png"/>
      <meta property="og:image:width" content="1200"/>
      <meta property="og:image:height" content="630"/>
      <meta property="og:image:alt" content=${title}/>
      <meta name="twitter:card" content="summary_large_image"/>`,
    content: html`
      <article class="report">
        ${reportBody(view, { fixIt: fixSection(view) })}
        ${historySection(view)}
        ${shareSection(view)}
      </article>`
  })
}
