import type { AgentAnswer, AskedAgent } from "../../audit/agents/NamedAgents.ts"
import type { DriftFinding } from "../../drift/Drift.ts"
import { counted, grouped } from "../../plugin/Wording.ts"
import type { ReportView } from "../ReportView.ts"
import { agentsSentence, answerWords, driftCounts, MATRIX_NOTE } from "../SectionWords.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { auditedLink, breakable, quotedText } from "./Parts.ts"

/** Findings that are shown at once; the others are folded. */
const OPEN = 5

/** What was compared, and of each falsehood what the documentation shows beside what the other side has. */
export const driftSection = ({ origin, report }: ReportView): Content => {
  const { drift } = report
  const counts = driftCounts(report)
  if (drift === undefined || counts === "") return null
  const { findings, findings_left_out: leftOut = 0 } = drift
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
export const agentsSection = ({ origin, report: { as_agents: matrix } }: ReportView): Content => {
  if (matrix === undefined) return null
  const { agents, asked } = matrix
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
