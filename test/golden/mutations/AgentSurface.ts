import { inAnswers, inFile, inHtml, inTexts, withAnswers, without, withTexts } from "./Break.ts"
import { buildSite } from "../excellent/Site.ts"
import type { Mutation } from "./Mutation.ts"

const withoutMcpPage = withTexts({
  mcp: "# Tools\n\nOur tools are made by hand and sent by post. Write to the harbour office, and they will be there within a week.\n"
})

const SKILL = "/.well-known/agent-skills/moorling-booking/SKILL.md"

export const agentSurfaceMutations: ReadonlyArray<Mutation> = [
  {
    name: "there is no MCP server",
    breaks: (source) => without("/mcp", "/.well-known/mcp/server-card.json")(buildSite(withoutMcpPage(source))),
    costs: "F1"
  },
  { name: "the MCP server does not answer", breaks: inAnswers(without("/mcp")), costs: "F1" },
  {
    name: "the MCP server answers with a web page",
    breaks: inAnswers(withAnswers({ "/mcp": "<!doctype html><title>MCP</title><h1>MCP</h1>" })),
    costs: "F1"
  },
  { name: "there is no API catalogue", breaks: inAnswers(without("/.well-known/api-catalog")), costs: "F2" },
  {
    name: "the API catalogue is no linkset",
    breaks: inAnswers(inFile("/.well-known/api-catalog", (json) => json.replace('"linkset"', '"apis"'))),
    costs: "F2"
  },
  {
    name: "there are no instructions for agents",
    breaks: inAnswers(without("/AGENTS.md", SKILL, "/.well-known/agent-skills/index.json")),
    costs: "F3"
  },
  {
    name: "the skill that is listed is missing",
    breaks: inAnswers(without("/AGENTS.md", SKILL)),
    costs: "F3"
  },
  {
    name: "nothing can be installed, copied or opened",
    breaks: (source) =>
      inHtml((html) => html.replace(/<p class="page-actions">.*<\/p>/, ""))(
        inTexts((text) => text.replace("pip install moorling", "echo hello"))(source)
      ),
    costs: "F4"
  }
]
