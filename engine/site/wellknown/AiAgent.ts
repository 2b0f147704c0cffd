import { PUBLIC_AI_AGENTS } from "./PublicAiAgents.ts"

/** An agent that reads for a model, by the name that its operator gives it in robots.txt. */
export interface AiAgent {
  readonly token: string
  /** What it reads for: to train models, to fill a search index that models answer from, or because a person asked just now. */
  readonly kind: "training" | "search" | "user"
}

const agents = (kind: AiAgent["kind"], tokens: string): ReadonlyArray<AiAgent> =>
  tokens.split(" ").map((token) => ({ token, kind }))

/** Names that operators publish and that robots.txt files address. */
export const OPERATORS_AGENTS: ReadonlyArray<AiAgent> = [
  ...agents("training", "GPTBot"), // OpenAI
  ...agents("search", "OAI-SearchBot"), // OpenAI
  ...agents("user", "ChatGPT-User"), // OpenAI
  ...agents("training", "ClaudeBot anthropic-ai Claude-Web"), // Anthropic
  ...agents("search", "Claude-SearchBot"), // Anthropic
  ...agents("user", "Claude-User"), // Anthropic
  ...agents("training", "Google-Extended Google-CloudVertexBot"), // Google
  ...agents("user", "Google-NotebookLM"), // Google
  ...agents("search", "PerplexityBot"), // Perplexity
  ...agents("user", "Perplexity-User"), // Perplexity
  ...agents("training", "CCBot"), // Common Crawl
  ...agents("training", "Bytespider"), // ByteDance
  ...agents("training", "Amazonbot"), // Amazon
  ...agents("search", "Amzn-SearchBot"), // Amazon
  ...agents("user", "Amzn-User bedrockbot"), // Amazon
  ...agents("training", "Applebot-Extended"), // Apple
  ...agents("training", "meta-externalagent FacebookBot"), // Meta
  ...agents("search", "meta-webindexer"), // Meta
  ...agents("user", "meta-externalfetcher"), // Meta
  ...agents("user", "MistralAI-User"), // Mistral
  ...agents("user", "DuckAssistBot"), // DuckDuckGo
  ...agents("training", "cohere-training-data-crawler"), // Cohere
  ...agents("user", "cohere-ai"), // Cohere
  ...agents("search", "YouBot"), // You.com
  ...agents("training", "AI2Bot"), // Allen Institute for AI
  ...agents("training", "Diffbot"), // Diffbot
  ...agents("training", "PetalBot"), // Huawei
  ...agents("search", "Timpibot"), // Timpi
  ...agents("training", "omgili Webzio-Extended") // Webz.io
]

/** All agents that we know by name: what an operator says goes before what the public list says. */
export const AI_AGENTS: ReadonlyArray<AiAgent> = [
  ...OPERATORS_AGENTS,
  ...PUBLIC_AI_AGENTS.user.map((token) => ({ token, kind: "user" }) as const),
  ...PUBLIC_AI_AGENTS.search.map((token) => ({ token, kind: "search" }) as const),
  ...PUBLIC_AI_AGENTS.training.map((token) => ({ token, kind: "training" }) as const)
]
