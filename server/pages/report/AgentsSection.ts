import type { AgentAnswer, AskedAgent } from "../../../engine/audit/agents/AsAgents.ts"
import { agentsSentence, answerWords, MATRIX_NOTE } from "../../../engine/audit/render/SectionWords.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { grouped } from "../../../engine/criterion/Wording.ts"
import { auditedLink, quotedText } from "../kit/Audited.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

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
