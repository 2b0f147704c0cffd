/** Agents that are named, so that nobody has to wonder: those that fetch for assistants, search and training. */
const AI_AGENTS = ["GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "Claude-SearchBot", "PerplexityBot", "Perplexity-User", "Google-Extended"]

/** Open to all but the steps of an authorization. Of training nothing is said: that is for the operator to decide. */
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
