import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { contentTypeOf } from "../../text/HttpValues.ts"
import type { FixPlan } from "./Plan.ts"

/** The version of the form of `PLAN.json`: it rises when a field changes its meaning or goes. */
const PLAN_SCHEMA_VERSION = 1

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Text = Schema.String.check(Schema.isMaxLength(20_000))
const Url = Schema.String.check(Schema.isMaxLength(5_000))

/** What of a plan is promised of the published site: all that `docgauge fix --verify` reads of `PLAN.json`. */
export const PlanPromises = Schema.Struct({
  schema_version: Schema.Literal(PLAN_SCHEMA_VERSION),
  base_url: Url,
  score_before: Count,
  score: Count,
  at_least: Schema.Boolean,
  files: Schema.Array(
    Schema.Struct({
      /** Below `site/` what is published, below `head/` snippets, below `host/` configuration. */
      path: Text,
      /** Where it is published; of a snippet the page's URL; `null` for configuration. */
      url: Schema.NullOr(Url),
      bytes: Count,
      /** Of its bytes, in hexadecimal. */
      sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
      /** The media type that its name gives it; `null`: none. */
      type: Schema.NullOr(Text),
      /** Whether it is the Markdown version of a page, and of which. */
      version_of: Schema.NullOr(Url),
      /** The elements of a snippet, one each; of other files none. */
      elements: Schema.Array(Text),
      only_if_absent: Schema.optionalKey(Schema.Literal(true))
    })
  ).check(Schema.isMaxLength(20_000)),
  /** What the host is to do; `null`: nothing. */
  rules: Schema.NullOr(
    Schema.Struct({
      /** The value of the `Link` header of every answer; `null`: none. */
      link: Schema.NullOr(Text),
      /** Whether pages answer `Accept: text/markdown` with Markdown. */
      negotiates: Schema.Boolean
    })
  )
})
export type PlanPromises = typeof PlanPromises.Type

/** The plan as data, without the reports of the two audits. */
export const planData = (plan: FixPlan) => ({
  schema_version: PLAN_SCHEMA_VERSION,
  base_url: plan.before.base_url,
  audit_date: plan.before.audit_date,
  rubric: plan.before.rubric,
  engine_version: plan.before.engine_version,
  score_before: plan.before.total_score,
  score: plan.score,
  at_least: plan.atLeast,
  unchecked: plan.unchecked,
  unjudged: plan.unjudged,
  gains: plan.gains,
  cost: plan.cost,
  files: plan.files.map(({ completes, criteria, onlyIfAbsent, path, remark, text, url, versionOf }) => ({
    path,
    url,
    criteria,
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
    type: path.startsWith("site/") ? contentTypeOf(path) : null,
    version_of: versionOf,
    elements: path.startsWith("head/") ? text.split("\n").filter((line) => line !== "") : [],
    completes,
    ...(onlyIfAbsent === undefined ? {} : { only_if_absent: onlyIfAbsent }),
    ...(remark === undefined ? {} : { remark })
  })),
  rules: plan.rules === null ? null : { link: plan.rules.link, negotiates: plan.rules.rewrites.length > 0 },
  host: plan.host,
  kept: plan.kept,
  todo: plan.todo,
  drift: plan.drift,
  pages: { known: plan.pages.known, with_files: plan.pages.withFiles },
  unopened_pages: plan.pages.unopened,
  /** Of these, the ones that a limit of ours left out. */
  limited_pages: plan.pages.limited,
  /** What opening the rest takes at most, and one part of a large site. */
  opening: { all: plan.pages.all, section: plan.pages.section },
  /** Of a folder: HTML files that nothing leads to, and pages that are named and have no file; `null`: no folder was fixed. */
  build: plan.difference,
  /** Other versions of the documentation that are known, by the URLs of their folders: nothing is written for them. */
  other_versions: plan.otherVersions,
  recipes: plan.recipes
})

/** The plan as the text of `PLAN.json`; the same plan gives the same bytes. */
export const planDataText = (plan: FixPlan): string => `${JSON.stringify(planData(plan), null, 2)}\n`

/** The plan and both reports as JSON; the same plan gives the same bytes. */
export const planJson = (plan: FixPlan): string =>
  `${JSON.stringify({ ...planData(plan), before: plan.before, after: plan.after }, null, 2)}\n`
