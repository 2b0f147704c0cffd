/** Explicitly allowed crawlers: those that fetch for search and training. */
const AI_CRAWLERS = ["GPTBot", "OAI-SearchBot", "ClaudeBot", "Claude-SearchBot", "PerplexityBot", "Google-Extended"]

/** Explicitly allowed agents that fetch what a user asked for. */
const AI_ASSISTANTS = ["ChatGPT-User", "Claude-User", "Perplexity-User"]

/** Plans, their prompts and files: the first request starts work, so crawlers must not follow the links to them. */
const NOT_CRAWLED = ["Disallow: /r/*/fix", "Disallow: /r/*/prompt.txt"]

/**
 * Allows everything except the authorization endpoints, and to crawlers the plans of runs. It says nothing about training, which the
 * operator decides.
 */
export const robotsTxt = (baseUrl: string): string =>
  [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes",
    "Disallow: /oauth/",
    ...NOT_CRAWLED,
    "Allow: /",
    "",
    ...AI_CRAWLERS.map((agent) => `User-agent: ${agent}`),
    "Disallow: /oauth/",
    ...NOT_CRAWLED,
    "Allow: /",
    "",
    ...AI_ASSISTANTS.map((agent) => `User-agent: ${agent}`),
    "Disallow: /oauth/",
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    ""
  ].join("\n")
