/** Agents that are named, so that nobody has to wonder: those that fetch for assistants, search and training. */
const AI_AGENTS = ["GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "Claude-SearchBot", "PerplexityBot", "Perplexity-User", "Google-Extended"]

/** Open to all. Runs are kept out of search engines: a score of someone's site is for those who have the link. */
export const robotsTxt = (baseUrl: string): string =>
  [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
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
