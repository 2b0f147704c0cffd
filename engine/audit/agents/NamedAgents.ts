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
