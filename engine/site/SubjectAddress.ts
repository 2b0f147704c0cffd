/** The subjects that pages are looked for by, beyond the sample. */
export type Subject =
  | "errors"
  | "authentication"
  | "rate limits"
  | "retries"
  | "pagination"
  | "events"
  | "sandbox"
  | "changelog"
  | "versions"
  | "glossary"
  | "agents"
  | "mcp"

/** How each subject is named in addresses and titles, in words separated by single spaces. */
const NAMES: ReadonlyArray<readonly [Subject, RegExp]> = [
  ["errors", /\b(?:errors?|error codes?|error handling|exceptions?|status codes?|troubleshooting)\b/],
  ["authentication", /\b(?:auth|authentication|authorization|authorisation|api keys?|access tokens?|credentials|oauth2?)\b/],
  ["rate limits", /\b(?:rate limits?|rate limiting|ratelimits?|throttling|quotas?|usage limits?|api limits?)\b/],
  ["retries", /\b(?:idempotency|idempotent|idempotent requests|retries|retry|retrying)\b/],
  ["pagination", /\b(?:pagination|paginating|paging|cursors|cursor based)\b/],
  ["events", /\b(?:webhooks?|events?|streaming|server sent events|sse|websockets?)\b/],
  ["sandbox", /\b(?:sandbox|test mode|testing|test environment|staging|environments?)\b/],
  ["changelog", /\b(?:changelog|change log|changes|release notes|releases|history|what s new|whats new|news)\b/],
  ["versions", /\b(?:versioning|versions?|deprecations?|deprecated|deprecation policy|migrations?|upgrading|breaking changes|sunset)\b/],
  ["glossary", /\b(?:glossary|terminology|vocabulary|key terms|concepts)\b|^terms$/],
  ["agents", /\b(?:llms?|ai agents?|agents?|ai assistants?|copilot|ai tools|build with ai)\b/],
  ["mcp", /\b(?:mcp|model context protocol)\b/]
]

/** A name is what a page is about, not a sentence in which a word happens to stand. */
const LONGEST_NAME = 60

const wordsOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()

/** The subjects that an address's last segment or the texts of links to it name, in the order of the list above. */
export const subjectsNamed = (url: string, texts: Iterable<string> = []): ReadonlyArray<Subject> => {
  const segment = new URL(url).pathname.split("/").findLast((part) => part !== "" && !/^index\.\w+$/.test(part)) ?? ""
  const names = [segment.replace(/\.(?:html?|mdx?|md)$/i, "")]
  for (const text of texts) if (text.length <= LONGEST_NAME) names.push(text)
  const said = names.map(wordsOf)
  return NAMES.flatMap(([subject, pattern]) => (said.some((name) => pattern.test(name)) ? [subject] : []))
}

export const SUBJECTS: ReadonlyArray<Subject> = NAMES.map(([subject]) => subject)
