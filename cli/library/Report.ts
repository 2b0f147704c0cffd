/*
 * The report in plain TypeScript, so that programs need no Effect for its types. `test/cli/library/Library.long.test.ts` compares it with
 * `engine/audit/Report.ts`, whose descriptions are also in `docgauge/report.schema.json`.
 */

/** The formats of `docgauge --format`. */
export type RenderFormat = "text" | "json" | "markdown" | "junit" | "sarif" | "html" | "github"

/** `present`: full points; `partial`: some; `absent`: none; `inconclusive`: it could not be checked. */
export type CriterionStatus = "present" | "partial" | "absent" | "inconclusive"

/** One exchange that bears on a verdict. */
export interface EvidenceItem {
  readonly url: string
  /** The HTTP status; `null` where there was no answer. */
  readonly status: number | null
  /** What it shows, in one plain sentence. */
  readonly note: string
}

/** One thing that was found, with the exchange that proves it. */
export interface Finding extends EvidenceItem {
  /** Whether it speaks for the site. */
  readonly good: boolean
}

/** What to do about points not earned. */
export interface Remedy {
  /** Rubrics before 3.0.0 say `low` (hours), `medium` (days) or `high` (weeks). */
  readonly effort: "minutes" | "hours" | "days" | "low" | "medium" | "high"
  /** What is left to do, in order. */
  readonly steps: ReadonlyArray<string>
  readonly steps_done?: ReadonlyArray<string>
  /** How to do it with the site's documentation generator. */
  readonly recipe?: { readonly generator: string; readonly do: string; readonly url: string }
  /** At most 10 URLs that the steps concern. */
  readonly addresses: ReadonlyArray<string>
}

/** What came of one criterion. */
export interface CriterionResult {
  /** Category letter and number, such as `D3`. */
  readonly id: string
  readonly status: CriterionStatus
  readonly score: number
  readonly max: number
  readonly evidence_url: string
  readonly title: string
  /** What was seen, and where, in one plain sentence. */
  readonly summary: string
  readonly evidence: ReadonlyArray<EvidenceItem>
  /** `null` where all points were earned. */
  readonly remedy: Remedy | null
  /** `false`: the criterion needs an HTTP API, and nothing suggests that the site has one. */
  readonly applicable?: boolean
  readonly blocked_by?: ReadonlyArray<string>
  /** At most 200 findings; the first is the summary. */
  readonly findings?: ReadonlyArray<Finding>
  readonly findings_left_out?: number
}

/** The report on a documentation site. `docgauge/report.schema.json` describes every field, also those that are not typed here. */
export interface AuditReport {
  readonly base_url: string
  /** `YYYY-MM-DD`, in UTC. */
  readonly audit_date: string
  /** 0 to `max_score`. */
  readonly total_score: number
  readonly max_score: number
  /** Points by category, such as `A_discovery`. */
  readonly categories: {
    readonly [key: string]: { readonly score: number; readonly max: number; readonly title: string }
  }
  readonly criteria: ReadonlyArray<CriterionResult>
  /** The level that the total reaches, such as `AI-ready`. */
  readonly verdict: string
  /** `draft`: this version is not released yet. `changed_by`: the file by which the published rubric of this name and version was changed. */
  readonly rubric: {
    readonly id: string
    readonly version: string
    readonly digest: string
    readonly draft?: boolean
    readonly changed_by?: string
  }
  readonly engine_version: string
  readonly reliability: {
    /** Whether the score can be relied on. */
    readonly reliable: boolean
    /** The share of points that could be checked, 0 to 1. */
    readonly coverage: number
    /** What a reader must know before trusting the score. */
    readonly flags: ReadonlyArray<string>
  }
  /** The score out of the points that apply to the site. */
  readonly applicable_score?: { readonly score: number; readonly max: number }
  /** What to fix, most points of its own per effort first. */
  readonly fix_first?: ReadonlyArray<{
    readonly id: string
    readonly gain: number
    readonly own?: number
    readonly effort: "minutes" | "hours" | "days" | "low" | "medium" | "high"
    readonly includes: ReadonlyArray<string>
  }>
}
