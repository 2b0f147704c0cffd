import * as Schema from "effect/Schema"
import { Uncertain } from "../plugin/Fact.ts"
import { DriftReport } from "../drift/Drift.ts"
import { Effort, EFFORT_MEANING } from "../rubric/definition/Rubric.ts"
import { AsAgentsReport } from "./agents/NamedAgents.ts"
import { atLeast, ReadingCost } from "./cost/ReadingCost.ts"
import { plainText } from "../text/PlainText.ts"

/*
 * The descriptions are also in the service's contract document, so they are written for readers of reports.
 */

const text = (description: string) => Schema.String.annotate({ description })
const address = (description: string) => Schema.String.annotate({ description, format: "uri" })
const list = <S extends Schema.Top>(item: S, description: string) => Schema.Array(item).annotate({ description })

/** A cited request and its response, as the report keeps it: enough to see what the finding saw and to ask again. */
export const ReportedExchange = Schema.Struct({
  method: Schema.Literals(["GET", "POST"]).annotate({ description: "The method of the request." }),
  url: text("The URL that was requested.").annotate({ format: "uri" }),
  accept: text("The request's `Accept` header."),
  agent: Schema.Literals(["docgauge", "browser"]).annotate({
    description: "The `User-Agent` that was sent: our own, or the one for comparing with what browsers get."
  }),
  request_body: Schema.optionalKey(text("The body of a `POST`, sent as `application/json`.")),
  redirects: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        url: text("The URL that redirected."),
        status: Schema.Int.annotate({ description: "The HTTP status." }),
        location: text("The URL that it led to.")
      }).annotate({ identifier: "FollowedRedirect", description: "A redirect that was followed." })
    ).annotate({ description: "Redirects that were followed, in order." })
  ),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` if there was no response." }),
  fault: Schema.optionalKey(text("Why there was no response, as a name such as `first_byte_timeout`.")),
  failure: Schema.optionalKey(text("The same in words.")),
  headers: Schema.Array(Schema.String).annotate({
    description:
      "The response's headers, each as `name: value`. Values of cookies and credentials are never kept; `date`, request ids and other headers that change with every response are left out; long values end in `…`."
  }),
  body: Schema.NullOr(Schema.String).annotate({
    description:
      "The first 2,048 bytes of the body as text, or fewer; `null` if it is empty, not text, or was left out for lack of space."
  }),
  body_bytes: Schema.Int.annotate({ description: "Length of the whole body in bytes, without content coding." }),
  body_cut: Schema.Boolean.annotate({ description: "Whether `body` is less than the whole body." })
}).annotate({ identifier: "CitedExchange", description: "A cited request and its response." })
export type ReportedExchange = typeof ReportedExchange.Type

/** The status of a criterion: full points, some, none, or that we could not check it. */
export const CriterionStatus = Schema.Literals(["present", "partial", "absent", "inconclusive"]).annotate({
  description:
    "`present`: full points; `partial`: there in part, which earns some points, or none of a criterion that has one; `absent`: none; `inconclusive`: we could not check it."
})
export type CriterionStatus = typeof CriterionStatus.Type

/** What a reader must know before trusting the score. */
export const ReliabilityFlag = Schema.Literals([
  /** URLs that do not exist are answered with a page. */
  "catch_all",
  /** Bot challenges were sent instead of pages. */
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
  /** The site answered 429, or 503 with `Retry-After`: it was asked more slowly. */
  "rate_limited",
  /** More than 2 points, or the list of pages, could not be checked for reasons of transport: 429, 5xx, a challenge, a timeout. */
  "unanswered",
  /** A limit on requests, bytes or sizes cut something off. */
  "truncated",
  /** A plugin failed, so its criterion could not be judged: a fault of the plugin, not of the site. */
  "plugin_failed",
  /** A folder was audited: what only a server shows was not checked. */
  "folder",
  /** Nothing on the site suggests an HTTP API: criteria about one do not apply. */
  "no_http_api"
])
export type ReliabilityFlag = typeof ReliabilityFlag.Type

/** Points of a score, 0 to 100. */
export const points = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description })

const exchange = Schema.optionalKey(
  Schema.Int.annotate({
    description:
      "The index of the request and its response in the report's `exchanges`; missing if there was no space for it."
  })
)

/** One exchange that bears on a verdict. */
export const EvidenceItem = Schema.Struct({
  url: address("The URL that was fetched."),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` where there was no answer." }),
  note: text("What it shows, in one plain sentence."),
  exchange
}).annotate({ identifier: "EvidenceItem", description: "One exchange that bears on a verdict." })
export type EvidenceItem = typeof EvidenceItem.Type

/** One thing that was found, with the exchange that proves it. */
export const ReportedFinding = Schema.Struct({
  url: address("The URL that was fetched."),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` where there was no answer." }),
  note: text("What it shows, in one plain sentence."),
  good: Schema.Boolean.annotate({ description: "Whether it speaks for the site." }),
  exchange
}).annotate({ identifier: "Finding", description: "One thing that was found, with the exchange that proves it." })
export type ReportedFinding = typeof ReportedFinding.Type

const Recipe = Schema.Struct({
  generator: text("The documentation generator that the pages were made by."),
  do: text("Which package or setting does it."),
  url: address("Its documentation.")
}).annotate({ identifier: "Recipe", description: "How to do it with the site's documentation generator." })

/** What to do about points not earned. */
export const Remedy = Schema.Struct({
  effort: Effort.annotate({ description: EFFORT_MEANING }),
  steps: list(
    text("One step, as an instruction."),
    "What is left to do, in order; empty if the criterion is inconclusive."
  ),
  steps_done: Schema.optionalKey(list(text("One step."), "Steps that need no action, by the facts.")),
  recipe: Schema.optionalKey(Recipe),
  addresses: list(address("An address that the steps concern."), "Addresses that the steps concern, at most 10.")
}).annotate({ identifier: "Remedy", description: "What to do about points not earned." })
export type Remedy = typeof Remedy.Type

/** What a plugin measured: enough to judge the run again under another rubric without the network. */
export const Measured = Schema.Struct({
  plugin: text("The plugin that measured."),
  revision: Schema.Int.annotate({
    description:
      "The plugin's revision up to the dot: raised whenever the same evidence could give other values of the same facts. Facts may be added without that; `facts` has those that were measured."
  }),
  params: Schema.Record(Schema.String, Schema.Json).annotate({ description: "What the rubric told the plugin." }),
  facts: Schema.NullOr(
    Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.Boolean, Schema.String]))
  ).annotate({
    description: "Named facts, which the rubric judged; `null` if we could not check the criterion."
  }),
  uncertain: Schema.optionalKey(
    Schema.Record(Schema.String, Uncertain).annotate({
      description:
        "Facts that missing responses (429, 5xx, a bot challenge, a timeout, a spent budget) could change, and what they may be. The criterion is `inconclusive` unless it reaches the same level in every case."
    })
  )
}).annotate({ identifier: "Measured", description: "What was measured: enough to judge again under another rubric." })
export type Measured = typeof Measured.Type

export const CriterionResult = Schema.Struct({
  id: text("Category letter and number, such as `D3`."),
  status: CriterionStatus,
  score: points("Points earned."),
  max: points("Points that could be earned."),
  reason: Schema.optionalKey(
    Schema.Literal("our_limit").annotate({
      description:
        "Only of a criterion that is `inconclusive`: nothing but limits of our own (requests, bytes, time, the size of a page) left it open. Its points are neither earned nor lost."
    })
  ),
  evidence_url: address("The HTTP evidence: the URL of the first finding, or the one tried first."),
  title: text("What is asked for, in a few words."),
  summary: text("What was seen, and where, in one plain sentence."),
  evidence: list(EvidenceItem, "The exchanges behind the verdict, at most 5."),
  remedy: Schema.NullOr(Remedy).annotate({ description: "What to do about it; `null` where all points were earned." }),
  measured: Measured,
  applicable: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "`false`: the criterion needs an HTTP API and nothing suggests that the site has one; its status is `absent`."
    })
  ),
  blocked_by: Schema.optionalKey(
    list(
      text("The id of a criterion."),
      "Criteria of which one must earn points before this one can, the one to begin with first; empty unless all of them and this one earned nothing."
    )
  ),
  findings: Schema.optionalKey(
    list(ReportedFinding, "Everything that was found, at most 200 findings; the first is the summary.")
  ),
  findings_left_out: Schema.optionalKey(
    Schema.Int.annotate({ description: "How many findings beyond those were left out." })
  )
}).annotate({ identifier: "CriterionResult", description: "What came of one criterion." })
export type CriterionResult = typeof CriterionResult.Type

const CategoryResult = Schema.Struct({
  score: points("Points earned."),
  max: points("Points that could be earned."),
  title: text("What the category is called, such as `Discovery`.")
}).annotate({ identifier: "CategoryResult", description: "The points of one category." })

/** A limit that bit, and what it left out. */
const SkippedItem = Schema.Struct({
  collector: text("Who asked: a criterion, or a derivation such as `site/sample`."),
  reason: Schema.Literals(["requests", "bytes", "deadline", "size", "unresponsive", "rate_limited"]).annotate({
    description: "The limit that bit."
  }),
  count: Schema.Int.annotate({
    description:
      "How many answers are missing or cut; of `site/links`, how many links were left out because their URLs are longer than 4,096 characters."
  })
}).annotate({ identifier: "SkippedItem", description: "A limit that bit, and what it left out." })

export const Reliability = Schema.Struct({
  reliable: Schema.Boolean.annotate({ description: "Whether the score can be relied on." }),
  coverage: Schema.Finite.annotate({ description: "The share of points that we could check, 0 to 1." }),
  flags: list(ReliabilityFlag, "What a reader must know before trusting the score."),
  skipped: list(SkippedItem, "What limits left out.")
}).annotate({ identifier: "Reliability", description: "How far the score can be relied on." })
export type Reliability = typeof Reliability.Type

/** Something seen that earns nothing yet. */
export const Signal = Schema.Struct({
  id: text("What was looked for."),
  name: Schema.optionalKey(text("Its name for readers, such as `security.txt`.")),
  why: Schema.optionalKey(text("What it is good for, in one sentence.")),
  seen: Schema.Boolean.annotate({ description: "Whether it is there." }),
  detail: Schema.optionalKey(text("What it has, or what is wrong with it, in one sentence.")),
  url: address("Where it was looked for.")
}).annotate({ identifier: "Signal", description: "Something looked for that earns nothing yet." })
export type Signal = typeof Signal.Type

const FixEntry = Schema.Struct({
  id: text("The criterion to fix."),
  gain: points("Points to gain, those of `includes` among them."),
  own: Schema.optionalKey(
    points("Points that its own steps gain, without those of `includes`; entries are in order of these per effort.")
  ),
  effort: Effort.annotate({ description: EFFORT_MEANING }),
  includes: list(text("The id of a criterion."), "Criteria that can earn only after this one does.")
}).annotate({ identifier: "FixEntry", description: "What to fix, and what it gains." })

export const SampledPage = Schema.Struct({
  url: address("The URL that answered."),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The HTTP status; `null` where there was no answer." }),
  title: text("The page's title; empty if it has none."),
  bytes: Schema.Int.annotate({
    description: "Length of the body in bytes, without content coding, as far as it was read."
  }),
  source: Schema.optionalKey(
    text(
      'The path of its source file in its repository, as its "edit this page" link names it; missing if it has no such link.'
    )
  ),
  named: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "The configuration names it, so that it is always in the sample." })
  ),
  tokens: Schema.Struct({
    html: Schema.NullOr(Schema.Int).annotate({
      description:
        "Of the HTML as an agent keeps it that converts the page to Markdown with its navigation; `null` if it is not HTML. Until rubric 3.0.0: of the raw HTML."
    }),
    markdown: Schema.NullOr(Schema.Int).annotate({ description: "Of its Markdown version; `null` if none was found." }),
    at_least: atLeast("The forms that are longer than what is read of one; missing if none is.")
  }).annotate({ identifier: "PageTokens", description: "Tokens, by `token_estimator`." }),
  failed: list(text("The id of a criterion."), "Criteria with points to gain that have a finding against this page.")
}).annotate({ identifier: "SampledPage", description: "A page of the sample." })
export type SampledPage = typeof SampledPage.Type

const RequestTotals = Schema.Struct({
  count: Schema.Int.annotate({ description: "Requests whose answers were used." }),
  bytes: Schema.Int.annotate({ description: "Length of their bodies in bytes, without content coding." })
}).annotate({ identifier: "RequestTotals", description: "The requests that the report is based on." })
export type RequestTotals = typeof RequestTotals.Type

const ApplicableScore = Schema.Struct({
  score: points("Points earned."),
  max: points("Points of the criteria that apply.")
}).annotate({ identifier: "ApplicableScore", description: "The score out of the points that apply to the site." })

const JudgedBy = Schema.Struct({
  id: text("The rubric's name."),
  version: text("Its semantic version."),
  digest: text("`sha256:` and the digest of its file."),
  draft: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "`true`: this version is not released yet; the digest tells its states apart."
    })
  ),
  changed_by: Schema.optionalKey(
    text("The file by which the published rubric of this name and version was changed; missing if it was not.")
  )
}).annotate({ identifier: "JudgedBy", description: "The rubric that judged." })

/**
 * The report on a documentation site. Same evidence, same bytes: nothing in it depends on when or where it was made
 * but for `audit_date`, which is part of the evidence.
 */
export const AuditReport = Schema.Struct({
  base_url: address("The audited site."),
  audit_date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)).annotate({
    description: "Calendar date, `YYYY-MM-DD`, in UTC.",
    format: "date"
  }),
  total_score: points("The score, 0 to `max_score`."),
  max_score: points("Always 100."),
  categories: Schema.Record(Schema.String, CategoryResult).annotate({
    description:
      "Points by category: `A_discovery`, `B_page_artifacts`, `C_api_spec`, `D_content`, `E_hygiene`, `F_agent_surface`."
  }),
  criteria: list(CriterionResult, "One entry per criterion, 30 in total, in the rubric's order."),
  verdict: text("The level that the total reaches, such as `AI-ready`."),
  rubric: JudgedBy,
  engine_version: text("The version of the engine that measured."),
  reliability: Reliability,
  signals: list(Signal, "Looked for, but earning nothing yet."),
  experimental: list(CriterionResult, "Criteria on trial: measured, but outside the 30 and the 100."),
  applicable_score: Schema.optionalKey(ApplicableScore),
  fix_first: Schema.optionalKey(
    list(
      FixEntry,
      "What to fix, most points of its own per effort first; without criteria that are inconclusive or do not apply."
    )
  ),
  pages: Schema.optionalKey(list(SampledPage, "The pages of the sample, in its order.")),
  token_estimator: Schema.optionalKey(
    text(
      "How tokens are counted: `utf8-bytes/4` is the length in bytes of what an agent keeps of a body, divided by 4 and rounded up."
    )
  ),
  reading_cost: Schema.optionalKey(ReadingCost),
  drift: Schema.optionalKey(DriftReport),
  requests: Schema.optionalKey(RequestTotals),
  exchanges: Schema.optionalKey(
    list(
      ReportedExchange,
      "The requests and responses that evidence and findings cite by index, at most 15 KB compressed."
    )
  ),
  exchanges_left_out: Schema.optionalKey(
    Schema.Int.annotate({ description: "How many cited requests there was no space for." })
  ),
  as_agents: Schema.optionalKey(AsAgentsReport)
}).annotate({
  identifier: "AuditReport",
  description: "The report on a documentation site. The same evidence gives the same bytes."
})
export type AuditReport = typeof AuditReport.Type

/** The JSON Schema of a report, draft 2020-12. Readers accept fields that it does not have: later versions add some. */
export const reportJsonSchema = (): object => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(AuditReport)
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
}

/** The report as bytes of JSON text, keys in their defined order. */
export const encodeReport = (report: AuditReport): string => `${JSON.stringify(report, null, 2)}\n`

/** The criteria of a report, those on trial last. */
export const allCriteria = <C>({
  criteria,
  experimental
}: {
  readonly criteria: ReadonlyArray<C>
  readonly experimental: ReadonlyArray<C>
}): ReadonlyArray<C> => [...criteria, ...experimental]

/** `docs-ai-readiness 2.0.0`, `docs-ai-readiness 3.0.0 (draft)`, or `docs-ai-readiness 2.0.0, changed by house.yaml`. */
export const rubricName = ({ changed_by: file, draft, id, version }: AuditReport["rubric"]): string =>
  `${plainText(id, 60)} ${plainText(version, 20)}${draft === true ? " (draft)" : ""}${file === undefined ? "" : changeText(plainText(file, 100))}`

const changeText = (file: string): string => (file === "" ? ", changed" : `, changed by ${file}`)

/** The names of two rubrics, with their digests if both have one version. */
export const namesOfBoth = (from: AuditReport["rubric"], to: AuditReport["rubric"]): readonly [string, string] => {
  const digestOf = ({ digest }: AuditReport["rubric"]): string =>
    from.version === to.version ? ` (${plainText(digest, 16)})` : ""
  return [`${rubricName(from)}${digestOf(from)}`, `${rubricName(to)}${digestOf(to)}`]
}
