import * as Schema from "effect/Schema"

/*
 * The descriptions stand in the contract document of the service, too: they are written for whoever reads a report.
 */

const text = (description: string) => Schema.String.annotate({ description })
const address = (description: string) => Schema.String.annotate({ description, format: "uri" })
const list = <S extends Schema.Top>(item: S, description: string) => Schema.Array(item).annotate({ description })

/** What can be said of a criterion: full points, some, none, or that its evidence could not be had. */
export const CriterionStatus = Schema.Literals(["present", "partial", "absent", "inconclusive"]).annotate({
  description: "`present`: full points; `partial`: some; `absent`: none; `inconclusive`: the evidence could not be had."
})
export type CriterionStatus = typeof CriterionStatus.Type

/** What a reader must know before trusting the score. */
export const ReliabilityFlag = Schema.Literals([
  /** Addresses that do not exist are answered with a page. */
  "catch_all",
  /** A bot challenge stood in place of pages. */
  "bot_challenge",
  /** Pages ask for a login. */
  "login_wall",
  /** There is one page only. */
  "single_page",
  /** Pages hold no text without JavaScript. */
  "client_rendered",
  /** Some of what the criteria look for is on another site, and was not contacted. */
  "off_site",
  /** Gathering time was over before everything was fetched. */
  "timed_out",
  /** The site kept letting requests run out of time, and was asked no more. */
  "unresponsive",
  /** A limit on requests, bytes or sizes cut something off. */
  "truncated",
  /** A plugin failed, so its criterion could not be judged: a fault of the plugin, not of the site. */
  "plugin_failed",
  /** Nothing on the site suggests an HTTP API: category C and parts of D say little. */
  "no_http_api"
])
export type ReliabilityFlag = typeof ReliabilityFlag.Type

const points = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description })

/** One exchange that bears on a verdict. */
export const EvidenceItem = Schema.Struct({
  url: address("The address that was fetched."),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` where there was no answer." }),
  note: text("What it shows, in one plain sentence.")
}).annotate({ identifier: "EvidenceItem", description: "One exchange that bears on a verdict." })
export type EvidenceItem = typeof EvidenceItem.Type

/** What to do about points not earned. */
export const Remedy = Schema.Struct({
  effort: Schema.Literals(["low", "medium", "high"]).annotate({ description: "`low`: hours; `medium`: days; `high`: weeks, or a change of tools." }),
  steps: list(text("One step, as an instruction."), "What to do, in order."),
  addresses: list(address("An address that the steps concern."), "Addresses that the steps concern, at most 10.")
}).annotate({ identifier: "Remedy", description: "What to do about points not earned." })

/** What a plugin measured: enough to judge the run again under another rubric without the network. */
export const Measured = Schema.Struct({
  plugin: text("The plugin that measured."),
  revision: Schema.Int.annotate({ description: "Raised whenever the same evidence could give other facts." }),
  params: Schema.Record(Schema.String, Schema.Json).annotate({ description: "What the rubric told the plugin." }),
  facts: Schema.NullOr(Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.Boolean, Schema.String]))).annotate({
    description: "Named facts, which the rubric judged; `null` where the evidence could not be had."
  })
}).annotate({ identifier: "Measured", description: "What was measured: enough to judge again under another rubric." })
export type Measured = typeof Measured.Type

/** What came of one criterion. */
export const CriterionResult = Schema.Struct({
  id: text("Category letter and number, such as `D3`."),
  status: CriterionStatus,
  score: points("Points earned."),
  max: points("Points that could be earned."),
  evidence_url: address("The HTTP evidence: the first finding's address, or the one tried first."),
  title: text("What is asked for, in a few words."),
  summary: text("What was seen, and where, in one plain sentence."),
  evidence: list(EvidenceItem, "The exchanges behind the verdict, at most 5."),
  remedy: Schema.NullOr(Remedy).annotate({ description: "What to do about it; `null` where all points were earned." }),
  measured: Measured
}).annotate({ identifier: "CriterionResult", description: "What came of one criterion." })
export type CriterionResult = typeof CriterionResult.Type

export const CategoryResult = Schema.Struct({
  score: points("Points earned."),
  max: points("Points that could be earned."),
  title: text("What the category is called, such as `Discovery`.")
}).annotate({ identifier: "CategoryResult", description: "The points of one category." })

/** A limit that bit, and what it left out. */
export const SkippedItem = Schema.Struct({
  collector: text("Who asked: a criterion, or a derivation such as `site/sample`."),
  reason: Schema.Literals(["requests", "bytes", "deadline", "size", "unresponsive"]).annotate({ description: "The limit that bit." }),
  count: Schema.Int.annotate({ description: "How many answers are missing or cut; of `site/links`, how many links were left out because their URLs are longer than 4,096 characters." })
}).annotate({ identifier: "SkippedItem", description: "A limit that bit, and what it left out." })

export const Reliability = Schema.Struct({
  reliable: Schema.Boolean.annotate({ description: "Whether the score can be relied on." }),
  coverage: Schema.Finite.annotate({ description: "The share of points whose evidence could be had, 0 to 1." }),
  flags: list(ReliabilityFlag, "What a reader must know before trusting the score."),
  skipped: list(SkippedItem, "What limits left out.")
}).annotate({ identifier: "Reliability", description: "How far the score can be relied on." })
export type Reliability = typeof Reliability.Type

/** Something seen that earns nothing yet. */
export const Signal = Schema.Struct({
  id: text("What was looked for."),
  seen: Schema.Boolean.annotate({ description: "Whether it is there." }),
  url: address("Where it was looked for.")
}).annotate({ identifier: "Signal", description: "Something looked for that earns nothing yet." })
export type Signal = typeof Signal.Type

/** The rubric that judged. */
const JudgedBy = Schema.Struct({
  id: text("The rubric's name."),
  version: text("Its semantic version."),
  digest: text("`sha256:` and the digest of its file.")
}).annotate({ identifier: "JudgedBy", description: "The rubric that judged." })

/**
 * The report on a documentation site. Same evidence, same bytes: nothing in it depends on when or where it was made
 * but for `audit_date`, which is part of the evidence.
 */
export const AuditReport = Schema.Struct({
  base_url: address("The audited site."),
  audit_date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)).annotate({ description: "Calendar date, `YYYY-MM-DD`, in UTC.", format: "date" }),
  total_score: points("The score, 0 to `max_score`."),
  max_score: points("Always 100."),
  categories: Schema.Record(Schema.String, CategoryResult).annotate({
    description: "Points by category: `A_discovery`, `B_page_artifacts`, `C_api_spec`, `D_content`, `E_hygiene`, `F_agent_surface`."
  }),
  criteria: list(CriterionResult, "One entry per criterion, 30 in total, in the rubric's order."),
  verdict: text("The level that the total reaches, such as `AI-ready`."),
  rubric: JudgedBy,
  engine_version: text("The version of the engine that measured."),
  reliability: Reliability,
  signals: list(Signal, "Looked for, but earning nothing yet."),
  experimental: list(CriterionResult, "Criteria on trial: measured, but outside the 30 and the 100.")
}).annotate({ identifier: "AuditReport", description: "The report on a documentation site. The same evidence gives the same bytes." })
export type AuditReport = typeof AuditReport.Type

/** The report as bytes of JSON text, keys in their defined order. */
export const encodeReport = (report: AuditReport): string => `${JSON.stringify(report, null, 2)}\n`
