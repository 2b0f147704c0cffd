import * as Schema from "effect/Schema"

const Text = Schema.String.check(Schema.isMaxLength(20_000))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Texts = Schema.Array(Text)

/** A plan without the reports and the contents of files: what is said of it. Decodes what an audit process wrote. */
export const PlanSummary = Schema.Struct({
  before: Schema.Struct({ base_url: Text, total_score: Count }),
  reportScore: Schema.NullOr(Count),
  live: Schema.Boolean,
  atLeast: Schema.Boolean,
  score: Count,
  gains: Schema.Array(Schema.Struct({ criterion: Text, title: Text, before: Count, after: Count, max: Count })),
  unchecked: Texts,
  unjudged: Texts,
  files: Schema.Array(Schema.Struct({ path: Text, url: Schema.NullOr(Text), criteria: Texts, isVersion: Schema.Boolean, bytes: Count, completes: Schema.Boolean, remark: Schema.optional(Text) })),
  todo: Schema.Array(Schema.Struct({
    criterion: Text,
    /** The plugin that measures it: another rubric may give the criterion's id to another. */
    plugin: Text,
    title: Text,
    /** The ids of criteria that wait for this one. */
    includes: Texts,
    points: Count,
    steps: Texts,
    reasons: Texts,
    /** May quote the site. */
    found: Schema.NullOr(Text),
    pages: Texts,
    option: Schema.NullOr(Schema.Literals(["--ai", "--host", "--only"]))
  })),
  unopened: Count,
  recipes: Schema.Array(Schema.Struct({ generator: Text, do: Text, url: Text, criteria: Texts })),
  /** `isMeasured`: whether the second audit judged all that the rules are for; not the negotiation of Markdown in a folder. */
  host: Schema.NullOr(Schema.Struct({ title: Text, use: Text, isMeasured: Schema.Boolean }))
})
export type PlanSummary = typeof PlanSummary.Type

/** What the sentences on a plan are made from. */
export interface PlanText extends Omit<PlanSummary, "files"> {
  readonly files: ReadonlyArray<Omit<PlanSummary["files"][number], "bytes">>
}
