import type { AuditReport } from "../../engine/audit/Report.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"
import type {
  AdoptionSeriesBody,
  BrowseSearch,
  CorpusStatsBody,
  CorpusSummaryBody,
  SiteSummaryBody,
  TopSites
} from "./Corpus.ts"
import type { DashboardBody } from "./DashboardBody.ts"
import { SIGNATURE_EXAMPLE } from "./Headers.ts"
import type { AsyncAccepted, DiffResponse, HistoryPageBody, RunBody } from "./Runs.ts"
import type { CreatedWebhook, WebhookBody } from "./WebhookGroup.ts"

/*
 * One example for each body of the contract. Their types check them against the schemas, and a test against the document.
 */

const RUN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
const EARLIER = "01932a10-77aa-7b1c-9d2e-3f4a5b6c7d8e"
const SITE = "https://docs.harbourhub.dev"
const HOST = "docs.harbourhub.dev"

/** Only 2 of the 30 criteria, for brevity. */
const report: AuditReport = {
  base_url: SITE,
  audit_date: "2026-11-21",
  total_score: 78,
  max_score: 100,
  categories: {
    A_discovery: { title: "Discovery", score: 8, max: 10 },
    B_page_artifacts: { title: "Page artifacts", score: 19, max: 26 },
    C_api_spec: { title: "API spec", score: 20, max: 23 },
    D_content: { title: "Content", score: 17, max: 23 },
    E_hygiene: { title: "Hygiene", score: 11, max: 14 },
    F_agent_surface: { title: "Agent surface", score: 3, max: 4 }
  },
  criteria: [
    {
      id: "A1",
      status: "present",
      score: 3,
      max: 3,
      evidence_url: `${SITE}/llms.txt`,
      title: "Publish an llms.txt in the standard format",
      summary: "/llms.txt has one title, 4 sections and 31 links, none of them dead.",
      evidence: [
        {
          url: `${SITE}/llms.txt`,
          status: 200,
          note: "/llms.txt has one title, 4 sections and 31 links, none of them dead."
        }
      ],
      remedy: null,
      measured: {
        plugin: "a1-llms-txt",
        revision: 3,
        params: { sample: 20, fetches: 8 },
        facts: { h1: 1, link_sections: 4, links: 31, characters: 4820, dead_links: 0, dead: 0 }
      }
    },
    {
      id: "D3",
      status: "partial",
      score: 2,
      max: 6,
      evidence_url: `${SITE}/errors`,
      title: "Document errors and what to do about them",
      summary: "/errors lists 6 errors and explains 2 of them.",
      evidence: [{ url: `${SITE}/errors`, status: 200, note: "/errors lists 6 errors and explains 2 of them." }],
      remedy: {
        effort: "hours",
        steps: ["Say for each error what causes it and what to do."],
        addresses: [`${SITE}/errors`]
      },
      measured: {
        plugin: "d3-errors",
        revision: 3,
        params: {},
        facts: { listed: 6, explained: 2, body: true, advice: false }
      }
    }
  ],
  verdict: "AI-ready",
  rubric: {
    id: "docs-ai-readiness",
    version: "3.0.0",
    digest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  },
  engine_version: "0.1.0",
  reliability: { reliable: true, coverage: 1, flags: [], skipped: [] },
  signals: [{ id: "agents_md", seen: false, url: `${SITE}/AGENTS.md` }],
  experimental: []
}

const accepted: AsyncAccepted = {
  run_id: RUN,
  status: "pending",
  poll_url: `/api/public/audit/${RUN}`,
  share_url: `/r/${RUN}`
}

const done: RunBody = {
  run_id: RUN,
  status: "done",
  total_score: report.total_score,
  reliable: true,
  base_url: SITE,
  started_at: "2026-11-21T10:14:03.512874Z",
  share_url: `/r/${RUN}`,
  report,
  signature: SIGNATURE_EXAMPLE
}

const history: HistoryPageBody = {
  runs: [
    {
      id: EARLIER,
      started_at: "2026-11-14T09:30:11.020417Z",
      total_score: 76,
      reliable: true,
      rubric_digest: report.rubric.digest,
      status: "done"
    }
  ],
  next_cursor: "",
  base_url: SITE,
  base_url_norm: HOST
}

const diff: DiffResponse = {
  total_delta: 2,
  from_reliable: true,
  to_reliable: true,
  from_rubric: "docs-ai-readiness 3.0.0",
  to_rubric: "docs-ai-readiness 3.0.0",
  categories: [{ key: "D", from: 15, to: 17, delta: 2, from_max: 23, to_max: 23 }],
  criteria: [
    { key: "D3", from: 0, to: 2, delta: 2, from_max: 6, to_max: 6, from_status: "absent", to_status: "partial" }
  ],
  baseline_auto: true
}

const site: SiteSummaryBody = {
  base_url: HOST,
  latest_run_id: RUN,
  canonical_url: SITE,
  reliable: true,
  run_count: 2,
  latest_run_at: "2026-11-21T10:14:03.512874Z",
  first_run_at: "2026-11-14T09:30:11.020417Z",
  latest_score: 78,
  best_score: 78,
  worst_score: 76,
  avg_score: 77
}

const summary: CorpusSummaryBody = { sites: 1, runs: 2, avg_score: 78, latest_run_at: site.latest_run_at }

const top: TopSites = { window: "7d", order: "best", sites: [site] }

const stats: CorpusStatsBody = {
  scores: [{ from: 70, to: 79, count: 1 }],
  tlds: [{ tld: "dev", count: 1 }],
  organisations: [{ organisation: "harbourhub.dev", count: 1 }],
  criteria: [{ id: "A1", present: 1, partial: 0, absent: 0, inconclusive: 0, not_applicable: 0 }]
}

const adoption: AdoptionSeriesBody = {
  criterion: "A1",
  generator: "docusaurus",
  weeks: [
    {
      week: "2026-W47",
      counted_at: "2026-11-16T00:00:41.512874Z",
      sites: 118,
      criteria: [{ id: "A1", present: 41, partial: 12, absent: 64, inconclusive: 1, not_applicable: 0 }]
    }
  ],
  generators: [
    { generator: "unknown", sites: 640 },
    { generator: "docusaurus", sites: 118 }
  ]
}

const search: BrowseSearch = { query: "harbour", hits: [site] }

const dashboard: DashboardBody = {
  slug: "harbourhub",
  title: "Harbour Hub documentation",
  bucket: "90d",
  generated_at: "2026-11-21T10:20:00.000Z",
  widgets: [
    {
      kind: "site_trend",
      title: "Our documentation",
      site: HOST,
      points: [{ run_id: RUN, at: site.latest_run_at, score: 78, reliable: true }]
    }
  ],
  sites: [{ base_url: HOST, latest_run_at: site.latest_run_at, next_audit_at: "2026-11-22T10:00:00.000000Z" }]
}

const RECEIVER = "https://hooks.harbourhub.dev/docgauge"

const createdWebhook: CreatedWebhook = {
  id: "8c0f3f7e-52a5-4a3b-9d0e-6f1f7c1a2b3c",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  base_url: SITE,
  url: RECEIVER,
  events: ["audit.finished", "score.fell", "criterion.lost"]
}

const webhook: WebhookBody = {
  id: createdWebhook.id,
  base_url: SITE,
  url: RECEIVER,
  events: createdWebhook.events,
  created_at: "2026-11-20T09:00:00.000000Z",
  state: "active",
  deliveries: [
    {
      id: "1f6d1c55-0a3e-4f0e-8f5e-2b7c9d3e4a10",
      type: "audit.finished",
      run_id: RUN,
      state: "delivered",
      attempts: 1,
      created_at: "2026-11-21T10:14:19.204811Z",
      last_status: 204
    }
  ]
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  AuditRequest: { base_url: SITE },
  AuditReport: report,
  AsyncAccepted: accepted,
  Run: done,
  HistoryPage: history,
  DiffResponse: diff,
  CorpusSummary: summary,
  TopSites: top,
  SiteSummary: site,
  CorpusStats: stats,
  AdoptionSeries: adoption,
  BrowseSearch: search,
  Dashboard: dashboard,
  DashboardWarming: { status: "warming" },
  WebhookRequest: { base_url: SITE, url: RECEIVER },
  CreatedWebhook: createdWebhook,
  Webhook: webhook,
  WebhookTest: { id: "5b1a7d0c-3c55-4d9a-b0f8-0d7f1e2a9c44" },
  BadRequest: {
    error: "base_url cannot be audited: it is not an absolute URL, such as https://docs.example.com.",
    code: "invalid_base_url"
  },
  Forbidden: { error: "This dashboard is not public." },
  ForeignPage: { error: "Pages of other sites cannot start audits here. Use this service's own page, or a program." },
  NotFound: { error: "There is no such run.", code: "not_found" },
  NoSnapshot: {
    error: "There is no snapshot to download at the moment. It is made within minutes: try again soon.",
    code: "not_found"
  },
  ContentTooLarge: { error: "The body is larger than 16 KB." },
  UnsupportedMediaType: { error: "Send application/json or application/x-www-form-urlencoded." },
  Unprocessable: { error: "The run has not finished.", code: "not_done" },
  TooManyRequests: { error: "Too many requests. Wait 23 seconds.", code: "rate_limited", retry_after: 23 },
  RequestTimedOut: { error: "The request took too long to arrive." },
  HeadersTooLarge: { error: "The header fields of the request are too large." },
  InternalError: {
    error: "Something went wrong on our side. It has been logged.",
    code: "internal",
    request_id: "m3k9x2-1f"
  },
  Unavailable: { error: "The service is not available at the moment. Try again in 5 seconds." },
  AuditTimedOut: {
    error: "The audit has not ended after 120 s, and continues. Poll the run at poll_url; do not submit again.",
    ...accepted
  }
}

const REFERENCE = "#/components/schemas/"

/** The example for a body of this schema, if it has one. */
export const exampleOf = (schema: JsonObject, mediaType: string): unknown => {
  const { $ref: reference, anyOf } = schema
  if (typeof reference === "string") return EXAMPLES[reference.slice(REFERENCE.length)]
  if (Array.isArray(anyOf))
    return anyOf
      .filter(isJsonObject)
      .map((each) => exampleOf(each, mediaType))
      .find((example) => example !== undefined)
  return mediaType === "application/json" || mediaType === "application/yaml" ? { openapi: "3.1.0" } : undefined
}
