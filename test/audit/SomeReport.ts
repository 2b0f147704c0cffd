import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"

export const BASE = "https://docs.example.com"

/** A criterion's result with these parts. */
export const someCriterion = (parts: Partial<CriterionResult> & Pick<CriterionResult, "id">): CriterionResult => ({
  status: "partial",
  score: 1,
  max: 3,
  evidence_url: `${BASE}/llms.txt`,
  title: `Criterion ${parts.id}`,
  summary: `What was seen of ${parts.id}.`,
  evidence: [{ url: `${BASE}/llms.txt`, status: 200, note: `What was seen of ${parts.id}.` }],
  remedy: {
    effort: "medium",
    steps: [`Fix ${parts.id}.`],
    addresses: [`${BASE}/a`, `${BASE}/b`, `${BASE}/c`, `${BASE}/d`]
  },
  measured: { plugin: "some-plugin", revision: 1, params: {}, facts: {} },
  ...parts
})

/** A report of two categories and four criteria, with these parts. */
export const someReport = (parts: Partial<AuditReport> = {}): AuditReport => ({
  base_url: BASE,
  audit_date: "2026-11-21",
  total_score: 6,
  max_score: 12,
  categories: {
    A_discovery: { score: 4, max: 6, title: "Discovery" },
    B_page_artifacts: { score: 2, max: 6, title: "Page artifacts" }
  },
  criteria: [
    someCriterion({ id: "A1", status: "present", score: 3, remedy: null }),
    someCriterion({ id: "A2" }),
    someCriterion({
      id: "B1",
      status: "absent",
      score: 0,
      remedy: { effort: "low", steps: ["Fix B1."], addresses: [] }
    }),
    someCriterion({ id: "B2", status: "inconclusive", score: 0 })
  ],
  verdict: "Gaps",
  rubric: { id: "docs-ai-readiness", version: "1.0.0", digest: "sha256:abc" },
  engine_version: "0.1.0",
  reliability: { reliable: true, coverage: 1, flags: [], skipped: [] },
  signals: [],
  experimental: [],
  ...parts
})
