import type { AgentAnswer, AskedAgent } from "../../../engine/audit/agents/AsAgents.ts"
import { changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import { haveOneMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import { agentsSentence, answerWords, driftCounts, MATRIX_NOTE } from "../../../engine/audit/render/SectionWords.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { counted, grouped, signed } from "../../../engine/plugin/Wording.ts"
import type { DriftFinding } from "../../../engine/drift/Drift.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { timeChart, type TimeMark } from "../charts/TimeChart.ts"
import { offersPlan } from "../fix/FixSection.ts"
import { auditedLink, breakable, columns, copyButton, quotedText, scoreNumber } from "../kit/Parts.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { minute, minuteText } from "../kit/Moments.ts"
import { agentsForm, ownerNote } from "../kit/AuditForm.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"
import { compareForm } from "./Forms.ts"
import type { ReportView } from "./ReportView.ts"

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

/** What each named agent is served: a row for each agent, a column for each URL, and how each asks. */
export const agentsSection = ({ as_agents: matrix, base_url }: AuditReport): Content => {
  if (matrix === undefined) return null
  const { agents, asked } = matrix
  const origin = URL.parse(base_url)?.origin ?? ""
  return html`
    <section aria-labelledby="as-agents">
      <h2 id="as-agents">What each named agent is served</h2>
      <p>${agentsSentence(matrix)} <span class="soft">${MATRIX_NOTE}</span></p>
      <div class="table-scroll">
        <table>
          <caption class="visually-hidden">Agents, and what each is served for each URL</caption>
          <thead><tr><th scope="col">Agent</th>${asked.map(({ url }) => html`<th scope="col">${auditedLink(url, origin)}</th>`)}</tr></thead>
          <tbody>${agents.map(
            ({ answers, name }) => html`
            <tr><th scope="row">${name}</th>${answers.map((answer) => html`<td>${cell(answer, origin)}</td>`)}</tr>`
          )}
          </tbody>
        </table>
      </div>
      <details>
        <summary>How each agent asks</summary>
        <ul>${agents.map((agent) => html`<li>${how(agent)}</li>`)}</ul>
      </details>
    </section>`
}

const cell = (answer: AgentAnswer, origin: string): Content => {
  const { characters, ends, given, url, why } = answer
  return [
    quotedText(answerWords(answer)),
    url === undefined ? null : html` <span class="soft">from ${auditedLink(url, origin)}</span>`,
    (given ?? 0) < (characters ?? 0) && ends !== null && ends !== ""
      ? html` <span class="soft">ends at: ${quotedText(ends)}</span>`
      : null,
    why === undefined ? null : html` <span class="soft">${quotedText(why)}</span>`
  ]
}

const how = (agent: AskedAgent): VNode => html`
  <strong>${agent.name}</strong> (${agent.operator}): <code>${agent.user_agent}</code>, ${
    agent.accept_published
      ? html`accepts <code>${agent.accept}</code>`
      : "accepts any type, as nothing else is published"
  }; robots.txt names it <code>${agent.robots_token}</code>. ${pipeline(agent)} <span class="soft">Read on ${agent.checked}: ${agent.sources.map((source, index) => html`${index === 0 ? null : ", "}<a href=${source} rel="nofollow noopener noreferrer">${URL.parse(source)?.host ?? source}</a>`)}</span>`

const CONVERSIONS: Readonly<Record<NonNullable<AskedAgent["converts"]>, string>> = {
  markdown: "Its tool turns HTML into Markdown",
  article: "Its tool turns the main content of HTML into Markdown",
  text: "Its tool turns HTML into text"
}

const pipeline = ({ converts, keeps }: AskedAgent): string => {
  if (converts === null) return "What its tool does with a page is not published."
  return `${CONVERSIONS[converts]}${keeps === null ? "" : `, and keeps ${grouped(keeps)} characters`}.`
}

/** Ways to share and keep the report: its URL, badges, a prompt, and files. */
export const shareSection = (view: ReportView): VNode => {
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
      <p>This report never changes, so its link can be shared.</p>
      ${snippet("share-url", "Link", page)}
      <h3>Badge</h3>
      <p>Always shows the newest score: <img class="badge" src=${badge} alt="docgauge badge with the newest score" height="20" loading="lazy"/></p>
      ${snippet("share-markdown", "Markdown", `[![docgauge](${liveImage})](${liveReports})`)}
      ${snippet("share-html", "HTML", `<a href="${escapeMarkup(liveReports)}"><img src="${escapeMarkup(liveImage)}" alt="docgauge" height="20"></a>`)}
      <p class="small">A badge that always shows this report's score: <a href=${`/r/${id}/badge.svg`}>${page}/badge.svg</a></p>
      <h3>For an agent</h3>
      ${snippet("share-prompt", "Prompt", agentPrompt(page, site))}
      <h3>Download</h3>
      <ul class="link-row">
        <li><a href=${`/r/${id}.json`} download=${fileName(view, "json")}>JSON</a></li>
        <li><a href=${`/r/${id}.md`} download=${fileName(view, "md")}>Markdown</a></li>
        <li><a href=${`/r/${id}.html`} download=${fileName(view, "html")}>HTML, one file</a></li>
        ${hasArchive ? html`<li><a href=${`/api/public/audit/${id}/archive`}>All that was fetched (WARC)</a></li>` : null}
        ${offersPlan(view) ? html`<li><a href=${`/r/${id}/fixes.zip`} rel="nofollow">Files that fix it (zip)</a></li>` : null}
      </ul>
      <p>What would another level be worth? The <a href=${pathWith("/rubric/calculator", { run: id })} rel="nofollow">score calculator</a> begins with the levels of this audit.</p>
      ${hasArchive ? disputeNote(view) : null}
      <div class="action-row no-print">
        <form action="/audit?async=true" method="post">
          <input type="hidden" name="base_url" value=${report.base_url}/>
          <button class="button button-quiet" type="submit">Audit this site again</button>
        </form>
      </div>
      ${verification === null ? null : ownerNote(verification)}
      ${agentsForm(report.base_url)}
    </section>`
}

/** How a reader can check the score and object to it. */
const disputeNote = ({ report: { rubric }, run: { id } }: ReportView): VNode => html`
  <h3>Something wrong?</h3>
  <p>Download all that was fetched, and replay it: the audit runs again from the file, without your site. Then tell <a href="/bot">us</a> which criterion is wrong, with the link to this report.</p>
  ${snippet("share-replay", "Replay", `npx docgauge --replay ${id}.warc.gz`)}
  <p class="soft small">Judged by ${rubricName(rubric)}, <code>${plainText(rubric.digest, 80)}</code></p>`

/** A text to copy, with its button; it can be selected without scripts, too. */
const snippet = (id: string, label: string, text: string): VNode => html`
  <div class="copy-row">
    <span class="copy-label">${label}</span>
    <pre class="snippet" tabindex="0"><code id=${id}>${breakable(text)}</code></pre>
    ${copyButton("Copy", id, `Copy: ${label}`)}
  </div>`

const agentPrompt = (page: string, site: string): string =>
  `Read ${page}.md, a report on how well AI agents can use the documentation at ${plainText(site, 200)}. Then fix what it lists under "Fix first", in the repository that the documentation is built from. Write only what is true of the product.`

const fileName = ({ report: { audit_date: date }, run: { site } }: ReportView, ending: string): string =>
  `docgauge-${site.replaceAll(/[^a-z\d.-]+/gi, "-").slice(0, 80)}-${date}.${ending}`

/** Rows of the table; the site's page lists all runs. */
const ROWS = 10

/** The site's scores over time, with changes of the rubric marked, and the runs to compare with. Empty for a first run. */
export const historySection = (view: ReportView): Content => {
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
const rubricMarks = ({ history, versions }: ReportView): ReadonlyArray<TimeMark> =>
  history.flatMap(({ rubricDigest, startedAt }, index) => {
    const before = history[index - 1]
    if (before === undefined || before.rubricDigest === rubricDigest) return []
    const version = versions.get(rubricDigest)
    return [{ at: startedAt, label: version === undefined ? "Rubric changed" : `Rubric ${version}` }]
  })

const historyTable = ({ history, run, versions }: ReportView): VNode => {
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
