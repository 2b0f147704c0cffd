import { type AgentAnswer, type AsAgentsReport, NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { BASE } from "../SomeReport.ts"

const MARKDOWN: AgentAnswer = {
  outcome: "answered",
  status: 200,
  type: "text/markdown",
  characters: 4_812,
  given: 4_812,
  ends: "That is all."
}

const HTML: AgentAnswer = { ...MARKDOWN, type: "text/html", characters: 31_204, given: 31_204 }

const without = (outcome: AgentAnswer["outcome"], why: string): AgentAnswer => ({
  outcome,
  status: null,
  type: null,
  characters: null,
  given: null,
  ends: null,
  why
})

const REFUSED: AgentAnswer = { ...HTML, status: 403, challenge: true, characters: null, given: null, ends: null }

/** What a site with one page serves to three agents: Markdown to one, a page that is cut off to the next, and a challenge to the last. */
export const someMatrix = (over: Partial<AgentAnswer> = {}): AsAgentsReport => {
  const answers: Readonly<Record<string, ReadonlyArray<AgentAnswer>>> = {
    "claude-code": [MARKDOWN, MARKDOWN],
    "mcp-fetch": [{ ...HTML, given: 5_000, ends: "Send the key in a hea", ...over }, HTML],
    chatgpt: [REFUSED, without("disallowed", "robots.txt of its host does not let this agent ask for it")]
  }
  return {
    asked: [
      { what: "base", url: `${BASE}/` },
      { what: "page", url: `${BASE}/keys` }
    ],
    agents: NAMED_AGENTS.flatMap((agent) => {
      const own = answers[agent.id]
      return own === undefined
        ? []
        : [
            {
              id: agent.id,
              name: agent.name,
              operator: agent.operator,
              robots_token: agent.robotsToken,
              user_agent: agent.userAgent,
              accept: agent.accept ?? "*/*",
              accept_published: agent.accept !== null,
              converts: agent.converts,
              keeps: agent.keeps,
              sources: [agent.sources.userAgent],
              checked: agent.checked,
              answers: own
            }
          ]
    }),
    requests: 5
  }
}
