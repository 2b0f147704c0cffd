import * as Schema from "effect/Schema"
import type { AgentConversion } from "../../page/conversion/AgentReading.ts"

/*
 * Agents that documentation is read by, as they ask for a page. Only what is published: by the operator, in the agent's source, or
 * by a third party that recorded its requests, each with its source. What is not published is `null` and is not guessed. The pages of
 * OpenAI and Perplexity were read as others quote them.
 */

/** An agent, as it asks and as it reads. */
export interface NamedAgent {
  /** Its name in JSON, archives and the `X-Docgauge` header. */
  readonly id: string
  readonly name: string
  readonly operator: string
  /** The product token that robots.txt addresses it by. Where its operator names none, the one of the list ai-robots-txt/ai.robots.txt, or of its `User-Agent`. */
  readonly robotsToken: string
  readonly userAgent: string
  /** The value of `Accept`; `null`: none is published, and any type is asked for. */
  readonly accept: string | null
  /** What becomes of a page before the model reads it; `null`: not published. */
  readonly converts: AgentConversion | null
  /** Characters of the converted page that the model is given at most; `null`: no limit is published. */
  readonly keeps: number | null
  /** Where that is published. */
  readonly sources: {
    readonly userAgent: string
    readonly accept: string | null
    readonly pipeline: string | null
  }
  /** The day on which the sources were read, `YYYY-MM-DD`. */
  readonly checked: string
}

const CHECKED = "2026-11-28"

const ACCEPT_MATRIX = "https://acceptmarkdown.com/status.md"

/** Coding agents first, by how much documentation they read; then those that fetch for a person who chats. */
export const NAMED_AGENTS: ReadonlyArray<NamedAgent> = [
  {
    id: "claude-code",
    name: "Claude Code",
    operator: "Anthropic",
    robotsToken: "Claude-User",
    userAgent: "Claude-User (claude-code/2.1.119; +https://support.anthropic.com/)",
    accept: "text/markdown, text/html, */*",
    converts: "markdown",
    // A longer page is shortened by a small model; how, is not published.
    keeps: 100_000,
    sources: {
      userAgent: "https://github.com/supabase/supabase/blob/master/apps/docs/middleware.test.ts",
      accept: ACCEPT_MATRIX,
      pipeline: "https://agentdocsspec.com/platforms/"
    },
    checked: CHECKED
  },
  {
    id: "cursor",
    name: "Cursor",
    operator: "Anysphere",
    robotsToken: "Cursor",
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
    accept: "text/markdown, text/plain;q=0.9, */*;q=0.8",
    // It fetches in several ways, with limits from 28,000 to over 240,000 characters in one test: none of them is its limit.
    converts: null,
    keeps: null,
    sources: {
      userAgent: "https://rhyannonjoy.github.io/agent-ecosystem-testing/docs/platform-comparisons/",
      accept: ACCEPT_MATRIX,
      pipeline: null
    },
    checked: CHECKED
  },
  {
    id: "opencode",
    name: "OpenCode",
    operator: "Anomaly",
    robotsToken: "opencode",
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
    accept: "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
    converts: "markdown",
    keeps: null,
    sources: {
      userAgent: "https://github.com/anomalyco/opencode/blob/dev/packages/core/src/tool/webfetch.ts",
      accept: "https://github.com/anomalyco/opencode/blob/dev/packages/core/src/tool/webfetch.ts",
      pipeline: "https://github.com/anomalyco/opencode/blob/dev/packages/core/src/tool/webfetch.ts"
    },
    checked: CHECKED
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    operator: "Google",
    robotsToken: "Google-Gemini-CLI",
    userAgent: "Mozilla/5.0 (compatible; Google-Gemini-CLI/1.0; +https://github.com/google-gemini/gemini-cli)",
    accept: null,
    converts: "text",
    keeps: 250_000,
    sources: {
      userAgent: "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/web-fetch.ts",
      accept: null,
      pipeline: "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/web-fetch.ts"
    },
    checked: CHECKED
  },
  {
    id: "mcp-fetch",
    name: "MCP fetch",
    operator: "Model Context Protocol",
    robotsToken: "ModelContextProtocol",
    userAgent: "ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)",
    accept: null,
    converts: "article",
    keeps: 5_000,
    sources: {
      userAgent: "https://github.com/modelcontextprotocol/servers/blob/main/src/fetch/src/mcp_server_fetch/server.py",
      accept: null,
      pipeline: "https://github.com/modelcontextprotocol/servers/blob/main/src/fetch/src/mcp_server_fetch/server.py"
    },
    checked: CHECKED
  },
  {
    id: "chatgpt",
    name: "ChatGPT",
    operator: "OpenAI",
    robotsToken: "ChatGPT-User",
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
    accept: null,
    converts: null,
    keeps: null,
    sources: { userAgent: "https://developers.openai.com/api/docs/bots", accept: null, pipeline: null },
    checked: CHECKED
  },
  {
    id: "perplexity",
    name: "Perplexity",
    operator: "Perplexity",
    robotsToken: "Perplexity-User",
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
    accept: null,
    converts: null,
    keeps: null,
    sources: {
      userAgent: "https://docs.perplexity.ai/docs/resources/perplexity-crawlers.md",
      accept: null,
      pipeline: null
    },
    checked: CHECKED
  },
  {
    id: "mistral",
    name: "Mistral",
    operator: "Mistral AI",
    robotsToken: "MistralAI-User",
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
    accept: null,
    converts: null,
    keeps: null,
    sources: { userAgent: "https://docs.mistral.ai/en/robots", accept: null, pipeline: null },
    checked: CHECKED
  }
]

/*
 * What each named agent is served, as reports have it. The descriptions are also in the service's contract document.
 */

const text = (description: string) => Schema.String.annotate({ description })
const orNull = <S extends Schema.Top>(item: S, description: string) => Schema.NullOr(item).annotate({ description })

/** The longest sentence or reason of an answer, in characters. */
export const LONGEST_AGENT_TEXT = 200

/** What came of asking for a URL as an agent. */
export const AgentAnswer = Schema.Struct({
  outcome: Schema.Literals(["answered", "disallowed", "robots_unread", "failed", "not_asked"]).annotate({
    description:
      "`answered`: with any status; `disallowed`: robots.txt forbids it to this agent, so it was not asked for; `robots_unread`: robots.txt got no usable answer (429, 5xx or none), which RFC 9309 takes as forbidden, so it was not asked for; `failed`: asked for, without an answer; `not_asked`: a limit of ours came first, it is on another host than the one whose owner asked, or the archive does not have it."
  }),
  status: orNull(Schema.Int, "The HTTP status, after redirects; `null` without an answer."),
  type: orNull(Schema.String, "The media type, in lower case; empty if none was named; `null` without an answer."),
  url: Schema.optionalKey(text("The URL that answered; only if it is another one.")),
  challenge: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "A bot filter answered in the site's place." })
  ),
  characters: orNull(
    Schema.Int,
    "Characters of the text after the agent's conversion, of a 2xx answer; `null` of any other, of what is no text, and of what is longer than we read of one."
  ),
  given: orNull(Schema.Int, "Of these, the ones that the agent's model is given; fewer if its tool cuts them off."),
  ends: orNull(Schema.String, "The last sentence that the model is given, or the end of it."),
  why: Schema.optionalKey(text("Why there is no answer, in one plain clause."))
}).annotate({ identifier: "AgentAnswer", description: "What came of asking for a URL as an agent." })
export type AgentAnswer = typeof AgentAnswer.Type

/** An agent, how it asked, and what it got. */
export const AskedAgent = Schema.Struct({
  id: text("Our name of it, as in the header `X-Docgauge` of its requests."),
  name: text("What it is called."),
  operator: text("Who runs or publishes it."),
  robots_token: text("The product token that it was held to in robots.txt."),
  user_agent: text("The `User-Agent` that was sent."),
  accept: text("The `Accept` that was sent."),
  accept_published: Schema.Boolean.annotate({
    description: "`false`: what it accepts is not published, so any type was asked for."
  }),
  converts: orNull(
    Schema.Literals(["markdown", "article", "text"]),
    "What its tool makes of HTML: the whole page as Markdown, its main content as Markdown, or the text of the whole page; `null` if that is not published. We convert with our own converter."
  ),
  keeps: orNull(Schema.Int, "Characters that its model is given at most; `null` if no limit is published."),
  sources: Schema.Array(Schema.String).annotate({ description: "URLs where that is published." }),
  checked: text("The day on which they were read, `YYYY-MM-DD`."),
  answers: Schema.Array(AgentAnswer).annotate({ description: "One for each of `asked`, in its order." })
}).annotate({ identifier: "AskedAgent", description: "An agent, how it asked, and what it got." })
export type AskedAgent = typeof AskedAgent.Type

/** What each named agent is served. */
export const AsAgentsReport = Schema.Struct({
  asked: Schema.Array(
    Schema.Struct({
      what: Schema.Literals(["robots.txt", "base", "page", "llms.txt"]),
      url: text("The URL that was asked for.")
    }).annotate({ identifier: "AskedUrl", description: "A URL that was asked for as each agent." })
  ).annotate({ description: "What was asked for: robots.txt, the base page, up to three pages and llms.txt." }),
  agents: Schema.Array(AskedAgent).annotate({ description: "The agents, each with its answers." }),
  requests: Schema.Int.annotate({
    description: "Requests that were sent as agents, with their redirects and without retries."
  })
}).annotate({
  identifier: "AsAgentsReport",
  description:
    "What each named agent is served (`--as-agents`). It never changes the score. Every request had the header `X-Docgauge`, which names docgauge."
})
export type AsAgentsReport = typeof AsAgentsReport.Type
