import * as Schema from "effect/Schema"
import { DriftFinding } from "../../drift/Drift.ts"

const Text = Schema.String.check(Schema.isMaxLength(20_000))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Texts = Schema.Array(Text)

const Way = Schema.Struct({ requests: Count, tokens: Count })

/** What opening pages takes at most; no requests: they are in a folder. */
const Opening = Schema.Struct({ pages: Count, requests: Count, seconds: Count })

/** How many, and some of them. */
const Named = Schema.Struct({ count: Count, named: Texts })

const Change = Schema.Struct({ before: Count, after: Count })

/** A plan without the reports and the contents of files: what is said of it. Decodes what an audit process wrote. */
export const PlanSummary = Schema.Struct({
  before: Schema.Struct({ base_url: Text, total_score: Count }),
  /** The score of the report that the plan is for, which `before` judges again; `null`: `before` is that report. */
  reportScore: Schema.NullOr(Count),
  /** Whether the site itself was audited: not an archive or a folder. */
  live: Schema.Boolean,
  /** Whether the gain is a lower bound: some pages that the second audit asked for are not in the archive. */
  atLeast: Schema.Boolean,
  /** The score with everything in place; criteria that could not be judged again count as before. */
  score: Count,
  gains: Schema.Array(Schema.Struct({ criterion: Text, title: Text, before: Count, after: Count, max: Count })),
  /** The ids of criteria that could be judged before and not again: pages of the new sample are not in the archive, or did not answer. */
  unchecked: Texts,
  /** The ids of criteria that files can be written for and that could not be checked before: what is missing is not known, so nothing is written for them. */
  unjudged: Texts,
  files: Schema.Array(
    Schema.Struct({
      path: Text,
      url: Schema.NullOr(Text),
      criteria: Texts,
      isVersion: Schema.Boolean,
      bytes: Count,
      completes: Schema.Boolean,
      /** It is not known whether the site has a file there: it may only be published if there is none. */
      onlyIfAbsent: Schema.optional(Schema.Literal(true)),
      remark: Schema.optional(Text)
    })
  ),
  /** URLs that files would have been written to, and at which the site has files that the audit had not found. They are left as they are. */
  kept: Texts,
  /** What an agent pays, in tokens by `estimator`, before and with the files in place. */
  cost: Schema.Struct({
    estimator: Text,
    /** Of the pages that cost more or less in the second audit; `null`: there is none, or it read few pages of the first. */
    pages: Schema.NullOr(Schema.Struct({ count: Count, median: Change, total: Change })),
    /** Of the cheapest way to one operation; `null`: one of the audits found none. */
    operation: Schema.NullOr(Schema.Struct({ before: Way, after: Way }))
  }),
  todo: Schema.Array(
    Schema.Struct({
      criterion: Text,
      /** The plugin that measures it: another rubric may give the criterion's id to another. */
      plugin: Text,
      title: Text,
      /** The ids of criteria that wait for this one. */
      includes: Texts,
      /** Points to gain, those of criteria that wait for this one among them. */
      points: Count,
      steps: Texts,
      /** Why no file does it, in our own words. */
      reasons: Texts,
      /** What the audit found with the files in place, where there are no other reasons; it may quote the site. `null`: not said. */
      found: Schema.NullOr(Text),
      pages: Texts,
      /** The option with which docgauge writes a file for it: `--only`, where that leaves it out; `null`: none. */
      option: Schema.NullOr(Schema.Literals(["--ai", "--host", "--only"]))
    })
  ),
  /** Why some pages get no Markdown version, and which, where the criterion earns full points without them; empty or left out: there are none. */
  unversioned: Schema.optional(Schema.Array(Schema.Struct({ reason: Text, pages: Texts }))),
  /** False examples, calls and tables of the report, at most 20, and how many more it has. */
  drift: Schema.Struct({ findings: Schema.Array(DriftFinding), more: Count }),
  pages: Schema.Struct({
    /** Pages that a Markdown version or a snippet was written for. */
    withFiles: Count,
    /** Pages that were opened, and those that the site names or that an opened page links to. */
    known: Count,
    /** Of these, the ones that were not opened: nothing is written for them. */
    unopened: Count,
    /** Of these, the ones that a limit of ours left out. */
    limited: Count,
    /** What opening them takes at most; `null`: none is left. */
    all: Schema.NullOr(Opening),
    /** A part of a large site that is opened whole; `null`: the site is not large, or has none. */
    section: Schema.NullOr(Schema.Struct({ ...Opening.fields, url: Text }))
  }),
  /** What only one of a folder and the site in it has; `null`: no folder was fixed. */
  difference: Schema.NullOr(Schema.Struct({ unreached: Named, lacking: Named })),
  /** Other versions of the documentation that are known, by the URLs of their folders: nothing is written for them. */
  otherVersions: Schema.Array(Schema.Struct({ url: Text, pages: Count })),
  /** Recipes of the generator (by its name) that was found and of the host. */
  recipes: Schema.Array(Schema.Struct({ generator: Text, do: Text, url: Text, criteria: Texts })),
  /** `isMeasured`: whether the second audit judged all that the rules are for; not the negotiation of Markdown in a folder. */
  host: Schema.NullOr(Schema.Struct({ title: Text, use: Text, isMeasured: Schema.Boolean }))
})
export type PlanSummary = typeof PlanSummary.Type

/** What the sentences on a plan are made from. */
export interface PlanText extends Omit<PlanSummary, "files"> {
  readonly files: ReadonlyArray<Omit<PlanSummary["files"][number], "bytes">>
}
