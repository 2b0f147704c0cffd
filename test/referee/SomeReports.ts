import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import { loadReferee } from "../../engine/referee/RefereeBook.ts"
import { plugins } from "../../plugins/index.ts"

const ROOT = join(import.meta.dirname, "../..")

/** `referee.yaml` as docgauge reads it. */
export const book = await Effect.runPromise(
  loadReferee(readFileSync(join(ROOT, "referee.yaml")), "referee.yaml", plugins)
)

const SITE = "https://docs.foliopress-api.com/docs/latest"

const golden = Schema.decodeUnknownSync(AuditReport)(
  JSON.parse(readFileSync(join(ROOT, "test/golden/typical/report.json"), "utf8"))
)

/** A docgauge report of a site that exists for tests only, in which all findings of E2 cite one exchange. */
export const typical: AuditReport = {
  ...golden,
  criteria: golden.criteria.map((result) =>
    result.id === "E2"
      ? { ...result, findings: (result.findings ?? []).map((finding) => ({ ...finding, exchange: 0 })) }
      : result
  ),
  exchanges: [
    {
      method: "GET",
      url: `${SITE}/docgauge-canary`,
      accept: "*/*",
      agent: "docgauge",
      status: 404,
      headers: [],
      body: null,
      body_bytes: 0,
      body_cut: false
    }
  ]
}

/* Made-up reports about it, in the shapes of the tools. */

export const afdocs = (...results: ReadonlyArray<readonly [id: string, status: string, message?: string]>) => ({
  url: SITE,
  specUrl: "https://agentdocsspec.example/spec",
  results: results.map(([id, status, message = `${id}: ${status}`]) => ({
    id,
    category: "some",
    status,
    message,
    details: { sampled: true }
  })),
  summary: { total: results.length },
  testedPages: 8,
  scoring: { overall: 90, grade: "A-" }
})

export const lighthouse = {
  lighthouseVersion: "13.5.0",
  finalDisplayedUrl: `${SITE}/`,
  audits: {
    "llms-txt": { title: "llms.txt follows recommendations", score: null },
    "document-title": { title: "Document has a title", score: 1 },
    "html-has-lang": { title: "The page has no lang", score: 0, explanation: "No lang attribute" },
    "cumulative-layout-shift": { title: "Cumulative Layout Shift", score: 0.6, displayValue: "0.2" },
    "image-alt": { title: "Images have alt", score: 0 },
    "color-contrast": { title: "Contrast", score: 0 }
  },
  categories: {
    accessibility: {
      title: "Accessibility",
      score: 0.5,
      auditRefs: [{ id: "html-has-lang" }, { id: "image-alt" }, { id: "color-contrast" }]
    },
    seo: { title: "SEO", score: 0.92, auditRefs: [{ id: "document-title" }, { id: "image-alt" }] },
    "agentic-browsing": {
      title: "Agentic Browsing",
      score: 1,
      auditRefs: [{ id: "llms-txt" }, { id: "cumulative-layout-shift" }]
    }
  }
}

export const redocly = (...problems: ReadonlyArray<readonly [ruleId: string, severity: string]>) => ({
  totals: { errors: 0, warnings: 0, ignored: 0 },
  version: "2.77.0",
  problems: problems.map(([ruleId, severity]) => ({
    ruleId,
    severity,
    message: `Something about ${ruleId}.`,
    location: []
  }))
})

export const vercel = {
  url: SITE,
  score: 57,
  rating: "Fair",
  categories: {
    can_agents_find_you: {
      passed: 1,
      total: 2,
      checks: [
        { name: "llms.txt", passed: true, skipped: false, tier: "required", detail: "1 KB" },
        { name: "sitemap.md", passed: false, skipped: false, tier: "recommended", detail: "status 404" },
        { name: "Vary: Accept", passed: false, skipped: true, tier: "recommended" },
        { name: "sitemap.xml", passed: false, skipped: false, tier: "required", detail: "status 0" }
      ]
    }
  }
}

export const a14y = {
  url: SITE,
  scorecardVersion: "0.2.0",
  siteChecks: [{ id: "llms-txt.exists", status: "pass", message: "Found llms.txt" }],
  pages: [
    {
      checks: [
        { id: "html.lang-attribute", status: "pass" },
        { id: "html.json-ld.breadcrumb", status: "na" }
      ]
    },
    {
      checks: [
        { id: "html.lang-attribute", status: "fail" },
        { id: "html.json-ld.breadcrumb", status: "na" }
      ]
    },
    {
      checks: [
        { id: "html.lang-attribute", status: "pass" },
        { id: "html.canonical-link", status: "fail" }
      ]
    }
  ],
  summary: { score: 59 }
}

export const cloudflare = {
  url: SITE,
  scannedAt: "2026-07-04T00:00:00.000Z",
  level: 2,
  levelName: "Bot-Aware",
  checks: {
    discoverability: { robotsTxt: { status: "pass", message: "robots.txt exists", durationMs: 3 } },
    botAccessControl: { webBotAuth: { status: "neutral", message: "informational only" } },
    commerce: { x402: { status: "neutral" } }
  }
}

export const axAudit = {
  url: SITE,
  timestamp: "2026-11-30T00:00:00.000Z",
  overallScore: 38,
  grade: { min: 0, label: "Poor", color: "red" },
  results: [
    {
      id: "sitemap",
      score: 70,
      findings: [
        { status: "pass", message: "Sitemap located" },
        { status: "warn", message: "No recent dates" }
      ]
    },
    { id: "openapi", score: 0, findings: [{ status: "fail", message: "openapi.json not found" }] },
    { id: "tls-https", score: 100, findings: [{ status: "pass", message: "Served over https" }] }
  ]
}
