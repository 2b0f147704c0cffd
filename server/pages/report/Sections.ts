import { changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import { haveOneMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { type AuditReport, rubricName } from "../../../engine/audit/Report.ts"
import { counted, signed } from "../../../engine/plugin/Wording.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { timeChart, type TimeMark } from "../charts/Charts.ts"
import { breakable, columns, copyButton, minute, minuteText, scoreNumber } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { agentsForm, ownerNote } from "../kit/AuditForm.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"
import { compareForm } from "./Forms.ts"
import type { RunView } from "./ReportReading.ts"
import { fixList } from "../../../engine/audit/FixFirst.ts"
import { fixCommand } from "../../fixes/RunFixes.ts"

/** Ways to share and keep the report: its URL, badges, a prompt, and files. */
export const shareSection = (view: RunView): VNode => {
  const {
    base,
    hasArchive,
    report,
    run: { id, site },
    verification
  } = view
  const page = `${base}/r/${id}`
  const badge = pathWith("/badge.svg", { base_url: site })
  const [liveImage, liveReports] = [`${base}${badge}`, `${base}${sitePath(site)}`]
  return html`
    <section class="share" data-service aria-labelledby="share">
      <h2 id="share">Share and keep</h2>
      <p>This report never changes and is <a href="/docs/v1/runs#signatures">signed</a>: its link can be shared, and its files kept.</p>
      ${snippet("share-url", "Link", page)}
      <ul class="link-row" aria-label="Download">
        <li><a href=${`/r/${id}.json`} download=${fileName(view, "json")}>JSON</a></li>
        <li><a href=${`/r/${id}.md`} download=${fileName(view, "md")}>Markdown</a></li>
        <li><a href=${`/r/${id}.html`} download=${fileName(view, "html")}>HTML, one file</a></li>
        ${hasArchive ? html`<li><a href=${`/api/public/audit/${id}/archive`}>All that was fetched (WARC)</a></li>` : null}
        ${offersPlan(view) ? html`<li><a href=${`/r/${id}/fixes.zip`} rel="nofollow">Files that fix it (zip)</a></li>` : null}
      </ul>
      <details>
      <summary>Badges</summary>
      <p>Always shows the newest score: <img class="badge" src=${badge} alt="docgauge badge with the newest score" height="20" loading="lazy"/></p>
      ${snippet("share-markdown", "Markdown", `[![docgauge](${liveImage})](${liveReports})`)}
      ${snippet("share-html", "HTML", `<a href="${escapeMarkup(liveReports)}"><img src="${escapeMarkup(liveImage)}" alt="docgauge" height="20"></a>`)}
      <p class="small">A badge that always shows this report's score: <a href=${`/r/${id}/badge.svg`}>${page}/badge.svg</a></p>
      </details>
      <details>
      <summary>Prompt for an agent</summary>
      ${snippet("share-prompt", "Prompt", agentPrompt(page, site))}
      </details>
      ${hasArchive ? disputeNote(view) : null}
      <div class="action-row no-print">
        <form action="/audit?async=true" method="post">
          <input type="hidden" name="base_url" value=${report.base_url}/>
          <button class="button button-quiet" type="submit">Audit this site again</button>
        </form>
        <p>What would other levels be worth? The <a href=${pathWith("/rubric/calculator", { run: id })} rel="nofollow">score calculator</a> begins with those of this audit.</p>
      </div>
      ${verification === null ? null : ownerNote(verification)}
      ${agentsForm(report.base_url)}
    </section>`
}

/** How a reader can check the score and object to it. */
const disputeNote = ({ hasContact, report: { rubric }, run: { id } }: RunView): VNode => html`
  <details>
  <summary>Something wrong?</summary>
  <p>Download all that was fetched, and replay it: the audit runs again from the file, without your site.${hasContact ? html` Then tell <a href="/bot#contact">us</a> which criterion is wrong, with the link to this report.` : null}</p>
  ${snippet("share-replay", "Replay", `npx docgauge --replay ${id}.warc.gz`)}
  <p class="soft small">Judged by ${rubricName(rubric)}, <code>${plainText(rubric.digest, 80)}</code></p>
  </details>`

/** A text to copy, with its button; it can be selected without scripts, too. */
const snippet = (id: string, label: string, text: string): VNode => html`
  <div class="copy-row">
    <span class="copy-label">${label}</span>
    <pre class="snippet" tabindex="0"><code id=${id}>${breakable(text)}</code></pre>
    ${copyButton("Copy", id, `Copy: ${label}`)}
  </div>`

const agentPrompt = (page: string, site: string): string =>
  `Read ${page}.md, a report on how well AI agents can use the documentation at ${plainText(site, 200)}. Then fix what it lists under "Fix first", in the repository that the documentation is built from. Write only what is true of the product.`

const fileName = ({ report: { audit_date: date }, run: { site } }: RunView, ending: string): string =>
  `docgauge-${site.replaceAll(/[^a-z\d.-]+/gi, "-").slice(0, 80)}-${date}.${ending}`

/** Rows of the table; the site's page lists all runs. */
const ROWS = 10

/** The site's scores over time, with changes of the rubric marked, and the runs to compare with. Empty for a first run. */
export const historySection = (view: RunView): Content => {
  const { history, run } = view
  if (history.length < 2) return null
  return html`
    <section data-service aria-labelledby="history">
      <h2 id="history">History</h2>
      ${view.change === null ? null : html`<p>${changeText(view.change, minuteText(view.change.startedAt))} <a href=${`/r/${run.id}/compare`}>Compare the two</a></p>`}
      ${timeChart({
        id: "history-chart",
        title: "Scores of the site over time",
        moments: history.map(({ id, reliable, score, startedAt }) => ({
          at: startedAt,
          value: score,
          isHere: id === run.id,
          isReliable: reliable
        })),
        marks: rubricMarks(view)
      })}
      ${historyTable(view)}
      ${compareForm(
        run.id,
        history.filter(({ startedAt }) => startedAt < run.startedAt)
      )}
    </section>`
}

/** Marks where a run used a different rubric than the one before it. */
const rubricMarks = ({ history, versions }: RunView): ReadonlyArray<TimeMark> =>
  history.flatMap(({ rubricDigest, startedAt }, index) => {
    const before = history[index - 1]
    if (before === undefined || before.rubricDigest === rubricDigest) return []
    const version = versions.get(rubricDigest)
    return [{ at: startedAt, label: version === undefined ? "Rubric changed" : `Rubric ${version}` }]
  })

const historyTable = ({ history, run, versions }: RunView): VNode => {
  const rows = history
    .map((scored, index) => ({ scored, before: history[index - 1] ?? null }))
    .toReversed()
    .slice(0, ROWS)
  return html`
    <div class="table-scroll">
      <table class="history">
        <caption>${rows.length < history.length ? `The newest ${ROWS} of ` : null}${counted(history.length, "finished audit")}, newest first. <a href=${sitePath(run.site)}>All audits of the site</a></caption>
        ${columns(["rest", "figure", "figure", "points"])}
        <thead>
          <tr><th scope="col">When (UTC)</th><th scope="col" class="number">Score</th><th scope="col" class="number">Change</th><th scope="col">Rubric</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ before, scored }) => html`
            <tr aria-current=${scored.id === run.id ? "true" : undefined}>
              <th scope="row">${scored.id === run.id ? html`${minute(scored.startedAt)} <span class="soft">(this one)</span>` : html`<a href=${`/r/${scored.id}`}>${minute(scored.startedAt)}</a>`}</th>
              <td class="number">${scoreNumber(scored.score, scored.reliable)}</td>
              <td class="number">${before === null || !haveOneMajor(before, scored, versions) ? "–" : signed(scored.score - before.score)}</td>
              <td>${versions.get(scored.rubricDigest) ?? "another"}</td>
            </tr>`
          )}
        </tbody>
      </table>
    </div>`
}

/** A report, and whether the archive is there that a plan is made from. */
interface Fixable {
  readonly report: AuditReport
  readonly run: { readonly id: string; readonly url: string }
  readonly hasArchive: boolean
}

/** Whether the page leads to a plan. */
export const offersPlan = ({ hasArchive, report }: Fixable): boolean => hasArchive && fixList(report).fixes.length > 0

/** The way to the plan and the files, which are made when somebody asks for them; nothing where no points are lost. */
export const fixSection = ({ hasArchive, report, run: { id, url } }: Fixable): Content => {
  if (fixList(report).fixes.length === 0) return null
  const command = html`<pre class="snippet" tabindex="0"><code>${plainText(fixCommand(url), 2_200)}</code></pre>`
  return html`
    <section id="fix-it" data-service aria-labelledby="fix-it-title">
      <h2 id="fix-it-title">Fix it</h2>
      <p>docgauge can write files that raise this score (llms.txt, Markdown versions, a sitemap and more) from what the site publishes, measures what they gain, and says what is left to write.</p>
      ${
        hasArchive
          ? html`<p class="no-print"><a class="button" href=${`/r/${id}/fix`} rel="nofollow" data-fix>Show the plan and the files</a></p><details><summary>On your own machine, with the site as it is now</summary>${command}</details>`
          : html`<p>The archive of this audit is no longer kept, so they can't be made here. On your own machine, with the site as it is now:</p>${command}`
      }
    </section>`
}
