/** Explicitly allowed agents: those that fetch for assistants, search and training. */
const AI_AGENTS = ["GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "Claude-SearchBot", "PerplexityBot", "Perplexity-User", "Google-Extended"]

/** Allows everything except the authorization endpoints. It says nothing about training, which the operator decides. */
export const robotsTxt = (baseUrl: string): string =>
  [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes",
    "Disallow: /oauth/",
    "Allow: /",
    "",
    ...AI_AGENTS.map((agent) => `User-agent: ${agent}`),
    "Disallow: /oauth/",
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    ""
  ].join("\n")
