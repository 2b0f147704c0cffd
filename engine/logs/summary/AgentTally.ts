import type { LogAgent } from "../agents/LogAgents.ts"

/** What a request was for: the forms of pages and files. `negotiated`: Markdown at the URL of a page. */
export const READ_FORMS = [
  "html",
  "markdown",
  "negotiated",
  "llms_txt",
  "description",
  "site_file",
  "asset",
  "other"
] as const
export type ReadForm = (typeof READ_FORMS)[number]

/** How requests ended. */
export const ANSWER_KINDS = [
  "answered",
  "not_modified",
  "redirected",
  "not_found",
  "refused",
  "rate_limited",
  "failed",
  "soft_404"
] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

export interface AgentTally {
  readonly agent: LogAgent
  requests: number
  bytes: number
  /** Bytes of answers that are text for a model: pages, Markdown, llms.txt, descriptions. */
  textBytes: number
  readonly forms: Record<ReadForm, number>
  readonly outcomes: Record<AnswerKind, number>
  /** Requests from an address that the operator publishes, from another one, and from none that we could tell. */
  readonly from: { published: number; other: number; unknown: number }
}

export const newAgentTally = (agent: LogAgent): AgentTally => ({
  agent,
  requests: 0,
  bytes: 0,
  textBytes: 0,
  forms: {
    html: 0,
    markdown: 0,
    negotiated: 0,
    llms_txt: 0,
    description: 0,
    site_file: 0,
    asset: 0,
    other: 0
  },
  outcomes: {
    answered: 0,
    not_modified: 0,
    redirected: 0,
    not_found: 0,
    refused: 0,
    rate_limited: 0,
    failed: 0,
    soft_404: 0
  },
  from: { published: 0, other: 0, unknown: 0 }
})
