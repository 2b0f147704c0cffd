import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { parse } from "yaml"
import { CriterionStatus } from "../../engine/audit/Report.ts"

/** What one criterion must come to on one site, found by reading the site with one's own eyes. */
const LabelledCriterion = Schema.Struct({
  status: CriterionStatus,
  earns: Schema.Int,
  /** Left out where it is obvious. */
  why: Schema.optionalKey(Schema.String),
  /** The wording would bear another verdict too; `why` says which. */
  close: Schema.optionalKey(Schema.Boolean),
  remark: Schema.optionalKey(Schema.String),
  /** The label as it was before docgauge had ever run; with `changed`. */
  first: Schema.optionalKey(Schema.Struct({ status: CriterionStatus, earns: Schema.Int })),
  /** Why the first label was wrong. */
  changed: Schema.optionalKey(Schema.String)
})

const Criteria = Schema.Record(Schema.String, LabelledCriterion)

/** The labels of one site of the corpus: of all 30 criteria, or why there must be no report. */
export const SiteLabels = Schema.Struct({
  site: Schema.String,
  url: Schema.String,
  labelled: Schema.String,
  criteria: Schema.optionalKey(Criteria),
  no_report: Schema.optionalKey(
    Schema.Struct({
      /** Part of what the audit must say. */
      says: Schema.String,
      why: Schema.String
    })
  ),
  /** What the criteria would come to if there were a report; kept, and held against nothing. */
  if_there_were_a_report: Schema.optionalKey(Criteria)
})
export type SiteLabels = typeof SiteLabels.Type

const FOLDER = join(import.meta.dirname, "labels")

/** All labels, by site. */
export const siteLabels: ReadonlyArray<SiteLabels> = readdirSync(FOLDER)
  .sort()
  .map((name) =>
    Schema.decodeUnknownSync(SiteLabels, { onExcessProperty: "error" })(parse(readFileSync(join(FOLDER, name), "utf8")))
  )
