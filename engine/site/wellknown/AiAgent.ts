/** An agent that reads for a model, as its operator names it in robots.txt. */
export interface AiAgent {
  readonly token: string
  readonly operator: string
  /** What it reads for: to train models, to fill a search index that models answer from, or because a person asked just now. */
  readonly kind: "training" | "search" | "user"
}

const agents = (operator: string, kind: AiAgent["kind"], tokens: string): ReadonlyArray<AiAgent> =>
  tokens.split(" ").map((token) => ({ token, operator, kind }))

/** Names that operators publish and that robots.txt files address. */
export const AI_AGENTS: ReadonlyArray<AiAgent> = [
  ...agents("OpenAI", "training", "GPTBot"),
  ...agents("OpenAI", "search", "OAI-SearchBot"),
  ...agents("OpenAI", "user", "ChatGPT-User"),
  ...agents("Anthropic", "training", "ClaudeBot anthropic-ai Claude-Web"),
  ...agents("Anthropic", "search", "Claude-SearchBot"),
  ...agents("Anthropic", "user", "Claude-User"),
  ...agents("Google", "training", "Google-Extended Google-CloudVertexBot"),
  ...agents("Google", "user", "Google-NotebookLM"),
  ...agents("Perplexity", "search", "PerplexityBot"),
  ...agents("Perplexity", "user", "Perplexity-User"),
  ...agents("Common Crawl", "training", "CCBot"),
  ...agents("ByteDance", "training", "Bytespider"),
  ...agents("Amazon", "training", "Amazonbot"),
  ...agents("Amazon", "search", "Amzn-SearchBot"),
  ...agents("Amazon", "user", "Amzn-User bedrockbot"),
  ...agents("Apple", "training", "Applebot-Extended"),
  ...agents("Meta", "training", "meta-externalagent FacebookBot"),
  ...agents("Meta", "search", "meta-webindexer"),
  ...agents("Meta", "user", "meta-externalfetcher"),
  ...agents("Mistral", "user", "MistralAI-User"),
  ...agents("DuckDuckGo", "user", "DuckAssistBot"),
  ...agents("Cohere", "training", "cohere-training-data-crawler"),
  ...agents("Cohere", "user", "cohere-ai"),
  ...agents("You.com", "search", "YouBot"),
  ...agents("Allen Institute for AI", "training", "AI2Bot"),
  ...agents("Diffbot", "training", "Diffbot"),
  ...agents("Huawei", "training", "PetalBot"),
  ...agents("Timpi", "search", "Timpibot"),
  ...agents("Webz.io", "training", "omgili Webzio-Extended")
]
