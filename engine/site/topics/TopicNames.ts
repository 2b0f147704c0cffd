import { percentDecoded } from "../../text/PercentDecoding.ts"
import { english, type Reader } from "../../text/languages/Reader.ts"
import type { Subject } from "../../text/languages/Vocabulary.ts"
import { readingLength } from "../../text/languages/Words.ts"
import { withoutPageEnding } from "../../text/MarkdownFile.ts"

/** The topics that pages are searched for, beyond the sample. */
export type TopicName =
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

/** How URLs and titles name each topic, in words separated by single spaces. */
const NAMES: ReadonlyArray<readonly [TopicName, RegExp]> = [
  ["errors", /\b(?:errors?|error codes?|error handling|exceptions?|status codes?|troubleshooting)\b/],
  [
    "authentication",
    /\b(?:auth|authentication|authorization|authorisation|api keys?|access tokens?|credentials|oauth2?)\b/
  ],
  ["rate limits", /\b(?:rate limits?|rate limiting|ratelimits?|throttling|quotas?|usage limits?|api limits?)\b/],
  ["retries", /\b(?:idempotency|idempotent|idempotent requests|retries|retry|retrying)\b/],
  ["pagination", /\b(?:pagination|paginating|paging|cursors|cursor based)\b/],
  ["events", /\b(?:webhooks?|events?|streaming|server sent events|sse|websockets?)\b/],
  ["sandbox", /\b(?:sandbox|test mode|testing|test environment|staging|environments?)\b/],
  ["changelog", /\b(?:changelog|change log|changes|release notes|releases|history|what s new|whats new|news)\b/],
  [
    "versions",
    /\b(?:versioning|versions?|deprecations?|deprecated|deprecation policy|migrations?|upgrading|breaking changes|sunset)\b/
  ],
  ["glossary", /\b(?:glossary|terminology|vocabulary|key terms|concepts)\b|^terms$/],
  ["agents", /\b(?:llms?|ai agents?|agents?|ai assistants?|copilot|ai tools|build with ai)\b/],
  ["mcp", /\b(?:mcp|model context protocol)\b/]
]

/** The same topics in the vocabulary of other languages. */
const SUBJECTS: Readonly<Partial<Record<TopicName, ReadonlyArray<Subject>>>> = {
  errors: ["errors"],
  authentication: ["authentication"],
  "rate limits": ["rateLimits"],
  retries: ["retries"],
  pagination: ["pagination"],
  events: ["events", "plainEvents"],
  sandbox: ["sandbox"],
  changelog: ["changelog"],
  versions: ["policy"],
  glossary: ["glossary"]
}

/** A name is what a page is about, not a sentence that happens to contain a word. */
const LONGEST_NAME = 60

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** The topics that a URL's last segment or the texts of links to it name, in the order of the list above. */
export const topicsNamed = (
  url: string,
  texts: Iterable<string> = [],
  reader: Reader = english
): ReadonlyArray<TopicName> => {
  const segment = new URL(url).pathname.split("/").findLast((part) => part !== "" && !/^index\.\w+$/.test(part)) ?? ""
  const names = [withoutPageEnding(percentDecoded(segment) ?? segment).replaceAll("_", " ")]
  for (const text of texts) if (readingLength(text) <= LONGEST_NAME) names.push(text)
  const said = names.map(wordsOf)
  return NAMES.flatMap(([topic, pattern]) =>
    said.some((name) => pattern.test(name)) ||
    (SUBJECTS[topic] ?? []).some((subject) => names.some((name) => reader.says(subject, name)))
      ? [topic]
      : []
  )
}

export const TOPICS: ReadonlyArray<TopicName> = NAMES.map(([topic]) => topic)
