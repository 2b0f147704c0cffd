import * as Schema from "effect/Schema"
import { NAMED_AGENTS } from "../../engine/audit/agents/NamedAgents.ts"
import { AuditReport, CriterionStatus, points } from "../../engine/audit/Report.ts"
import { LONGEST_SIGNATURE } from "../../engine/audit/signature/ReportClaims.ts"
import { REQUESTS_AS_AGENTS } from "../../engine/evidence/AuditBudget.ts"
import { instant, runId } from "./Parameters.ts"

const pollUrl = Schema.String.annotate({
  description: "Path to poll, `/api/public/audit/<run_id>`.",
  format: "uri-reference"
})
const shareUrl = Schema.String.annotate({
  description: "Path of the page for people, `/r/<run_id>`.",
  format: "uri-reference"
})
const baseUrl = Schema.String.annotate({ description: "The audited site, a full URL.", format: "uri" })
const difference = Schema.Int.check(Schema.isBetween({ minimum: -100, maximum: 100 })).annotate({
  description: "`to` minus `from`."
})

/** The body of POST /audit. */
export const AuditRequestBody = Schema.Struct({
  base_url: Schema.String.check(Schema.isMaxLength(2_048)).annotate({
    description:
      "Root URL of the documentation site: public, `https://`, without query, fragment, credentials or port.",
    format: "uri"
  }),
  as_agents: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: `For the owner of the site alone: \`true\` also asks for a few of its URLs as each of ${NAMED_AGENTS.length} AI agents asks, with at most ${REQUESTS_AS_AGENTS} more requests, and the report has \`as_agents\`. The score is the same.`
    })
  ),
  owner_key: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200)).annotate({
      description:
        "With `as_agents`: proves that the owner of the site asks, if the host publishes the token of this key. Leave it out to get a key and its token in a 403."
    })
  )
}).annotate({ identifier: "AuditRequest", description: "What to audit." })

/** Seconds between two reads of a run that is not over. */
export const POLL_SECONDS = 3

/** The body of 202. */
export const AsyncAccepted = Schema.Struct({
  run_id: runId,
  status: Schema.Literal("pending").annotate({ description: "Always `pending`, even if the run is already finished." }),
  poll_url: pollUrl,
  share_url: shareUrl
}).annotate({
  identifier: "AsyncAccepted",
  description: "The audit is accepted: poll `poll_url` every 2 to 3 seconds."
})
export type AsyncAccepted = typeof AsyncAccepted.Type

const Progress = Schema.Struct({
  done: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "Criteria measured." }),
  total: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "Criteria to measure; 0 before measuring starts."
  })
}).annotate({ identifier: "Progress", description: "Progress of the audit." })

/** A run that is not finished. */
const RunUnderWay = Schema.Struct({
  run_id: runId,
  status: Schema.Literals(["pending", "running"]).annotate({
    description: "`pending`: waiting; `running`: being audited."
  }),
  base_url: baseUrl,
  started_at: instant("When the run was accepted."),
  progress: Progress,
  poll_url: pollUrl,
  share_url: shareUrl
}).annotate({ identifier: "RunUnderWay", description: "A waiting or running audit: poll again in 2 to 3 seconds." })

/** A run without a report. */
const RunFailed = Schema.Struct({
  run_id: runId,
  status: Schema.Literal("error").annotate({ description: "The run failed." }),
  error: Schema.String.annotate({ description: "The reason, in one sentence." }),
  code: Schema.optionalKey(
    Schema.Literals(["audit_failed", "internal"]).annotate({
      description:
        "`audit_failed`: the site responded, but could not be audited. `internal`: an internal error. Left out if the site could not be reached."
    })
  ),
  base_url: baseUrl,
  started_at: instant("When the run was accepted."),
  share_url: shareUrl
}).annotate({ identifier: "RunFailed", description: "A run that ended without a report." })

const RunDone = Schema.Struct({
  run_id: runId,
  status: Schema.Literal("done").annotate({ description: "The report is available." }),
  total_score: points("The total score of the report."),
  reliable: Schema.Boolean.annotate({
    description: "Whether the score can be relied on. `false`: it is at least `total_score`."
  }),
  base_url: baseUrl,
  started_at: instant("When the run was accepted."),
  share_url: shareUrl,
  report: AuditReport,
  signature: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(LONGEST_SIGNATURE)).annotate({
      description:
        "A JSON Web Token of the service that names itself, the run and the SHA-256 of the report's canonical JSON (RFC 8785): `docgauge verify` checks it."
    })
  )
}).annotate({ identifier: "RunDone", description: "A finished run and its report. It never changes." })

/** The body of GET /api/public/audit/{id}, told apart by `status`. */
export const RunBody = Schema.Union([RunUnderWay, RunFailed, RunDone]).annotate({
  identifier: "Run",
  description: "A run, told apart by `status`. `done` and `error` are final."
})
export type RunBody = typeof RunBody.Type

const HistoryEntry = Schema.Struct({
  id: runId,
  started_at: instant("When the run was accepted; no two runs of a site share it."),
  total_score: Schema.optionalKey(points("The score; left out unless `done`.")),
  reliable: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether the score can be relied on; left out unless `done`." })
  ),
  rubric_digest: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The digest of the rubric that judged: scores of different rubrics may not compare. Left out unless `done`."
    })
  ),
  status: Schema.Literals(["pending", "running", "error", "done"]).annotate({ description: "State of the run." })
}).annotate({ identifier: "HistoryEntry", description: "One earlier run." })

/** The body of GET …/history. */
export const HistoryPageBody = Schema.Struct({
  runs: Schema.Array(HistoryEntry).annotate({ description: "Newest first." }),
  next_cursor: Schema.String.annotate({
    description: "The `cursor` of the next page; empty on the last page.",
    examples: ["2026-11-20T08:15:30.123456Z"]
  }),
  base_url: baseUrl,
  base_url_norm: Schema.String.annotate({
    description: "Normalised host form of the site.",
    examples: ["docs.example.com"]
  })
}).annotate({ identifier: "HistoryPage", description: "A page of the runs of one site." })
export type HistoryPageBody = typeof HistoryPageBody.Type

const scores = {
  from: points("Points of the baseline."),
  to: points("Points of the target."),
  delta: difference,
  from_max: points("Points available in the baseline."),
  to_max: points("Points available in the target.")
}

const CategoryDifference = Schema.Struct({
  key: Schema.Literals(["A", "B", "C", "D", "E", "F"]).annotate({ description: "Category letter." }),
  ...scores
}).annotate({ identifier: "CategoryDifference", description: "One category in both runs." })

const CriterionDifference = Schema.Struct({
  key: Schema.String.annotate({ description: "Criterion, such as `D3`.", examples: ["D3"] }),
  ...scores,
  from_status: CriterionStatus,
  to_status: CriterionStatus
}).annotate({
  identifier: "CriterionDifference",
  description: "One criterion in both runs. A run whose rubric lacks it counts as 0 and `absent`."
})

const rubricNameOf = (run: string) =>
  Schema.String.annotate({
    description: `The rubric that judged ${run}: scores of different major versions do not compare.`,
    examples: ["docs-ai-readiness 3.0.0"]
  })

/** The body of GET …/diff. */
export const DiffResponse = Schema.Struct({
  total_delta: Schema.Int.check(Schema.isBetween({ minimum: -100, maximum: 100 })).annotate({
    description: "Change of the total score, target minus baseline."
  }),
  from_reliable: Schema.Boolean.annotate({ description: "Whether the baseline's score can be relied on." }),
  to_reliable: Schema.Boolean.annotate({ description: "Whether the target's score can be relied on." }),
  from_rubric: Schema.optionalKey(rubricNameOf("the baseline")),
  to_rubric: Schema.optionalKey(rubricNameOf("the target")),
  categories: Schema.Array(CategoryDifference).annotate({ description: "All categories." }),
  criteria: Schema.Array(CriterionDifference).annotate({ description: "All criteria of either run." }),
  baseline_auto: Schema.Boolean.annotate({ description: "Whether the baseline was chosen automatically." })
}).annotate({ identifier: "DiffResponse", description: "What changed between two runs of a site." })
export type DiffResponse = typeof DiffResponse.Type
