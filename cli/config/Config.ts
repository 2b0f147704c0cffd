import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { fileFormats } from "../audit/ReportFormats.ts"

/*
 * The contents of `docgauge.yaml`. Descriptions are also in its JSON Schema, which editors show.
 */

const text = (description: string) => Schema.NonEmptyString.annotate({ description })
const number = (minimum: number, maximum: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum })).annotate({ description })
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(schema)

const CategoryLetter = Schema.String.check(
  Schema.isPattern(/^[A-Z]$/, { message: "must be the letter of a category, such as C" })
)
const CriterionId = Schema.String.check(
  Schema.isPattern(/^[A-Z]\d{1,2}$/, { message: "must be the id of a criterion, such as B1" })
)
/** A day that does not exist, such as 2027-02-31, becomes another one. */
const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
const Day = Schema.String.check(
  Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, {
    message: "must be a date, such as 2027-09-30"
  }).abort(),
  Schema.makeFilter(isDay, { expected: "a day that exists, such as 2027-09-30" })
)

export const GoalsConfig = Schema.Struct({
  score: optional(number(0, 100, "Minimum score.")),
  max_drop: optional(
    number(
      0,
      100,
      "Maximum loss of points since the baseline, which is needed with it; default 0 if a baseline is set."
    )
  ),
  categories: optional(
    Schema.Record(CategoryLetter, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))).annotate({
      description: "Minimum points of categories, by letter."
    })
  ),
  criteria: optional(
    Schema.Record(CriterionId, Schema.Literals(["present", "partial"])).annotate({
      description: "Minimum status of criteria, by id."
    })
  ),
  drift: optional(
    number(
      0,
      100_000,
      "How many of the examples, calls, table rows and figures may say something else than the API description or one another."
    )
  ),
  require_reliable: optional(
    Schema.Boolean.annotate({
      description:
        "Whether a report that is not reliable fails with exit code 4 (the default with any goal). `false` judges the goals on it; one that depends on something we could not check still ends with 4."
    })
  )
}).annotate({
  description:
    "What a report must reach: exit code 1 if a goal is missed, 4 if a goal depends on something we could not check."
})
export type GoalsConfig = typeof GoalsConfig.Type

const WaiverConfig = Schema.Struct({
  criterion: CriterionId.annotate({
    description: "The criterion that the goals do not judge. The score stays as it is."
  }),
  reason: text("Why; printed when the waiver has expired."),
  until: optional(
    Day.annotate({ description: "The last day on which it holds. After it, the build fails with the reason." })
  )
})

const PagePattern = Schema.String.check(
  Schema.isPattern(/^\/(?!\/)[^?#\s]{0,500}$/, {
    message: "must be a path such as /quickstart, or a glob such as /api/**"
  })
)

export const SiteConfig = Schema.Struct({
  url: text("URL of the documentation, such as https://docs.example.com."),
  path: optional(
    text("Folder with its static build, which is audited instead, without a network. Relative to this file.")
  ),
  pages: optional(
    Schema.NonEmptyArray(PagePattern).annotate({
      description:
        "Pages that are always in the sample: paths such as /quickstart, and globs over the known pages such as /api/** (`*` is any text within a segment, `**` any number of segments). A page that does not exist fails the build."
    })
  ),
  canonical_origin: optional(text("Of a preview: the production origin that its links point to.")),
  headers: optional(
    Schema.Record(Schema.NonEmptyString, Schema.String).annotate({
      description:
        'Request headers for this origin alone, such as `Authorization: "Bearer ${PREVIEW_TOKEN}"`; `${NAME}` is an environment variable. They are never recorded or printed. Not with `path`.'
    })
  ),
  basic_auth: optional(
    text(
      "User and password for this origin alone, from the environment: `${PREVIEW_USER}:${PREVIEW_PASSWORD}`. Not with `path`."
    )
  ),
  baseline: optional(text("An earlier report of this site in JSON. Relative to this file.")),
  drift: optional(
    Schema.Boolean.annotate({
      description:
        "`true`: examples, calls, table rows and figures are judged: at most as many may be false as the goal `drift` says, or none without it. `false`: they are not, whatever the goals of the file say."
    })
  ),
  goals: optional(GoalsConfig),
  waivers: optional(Schema.Array(WaiverConfig))
})
export type SiteConfig = typeof SiteConfig.Type

const outputFile = optional(
  text("The file to write. Relative to this file; with several sites, each site's name is put before the ending.")
)

export const Config = Schema.Struct({
  sites: Schema.NonEmptyArray(SiteConfig).annotate({ description: "The sites to audit." }),
  goals: optional(GoalsConfig),
  waivers: optional(
    Schema.Array(WaiverConfig).annotate({ description: "Criteria that the goals do not judge for a while." })
  ),
  baseline: optional(text("An earlier report in JSON, if there is one site. Relative to this file.")),
  rubric: optional(text("Another rubric. Relative to this file.")),
  formats: optional(
    Schema.Struct(Record.map(fileFormats, () => outputFile)).annotate({
      description: "Formats of the report, each with its file."
    })
  )
}).annotate({ title: "docgauge.yaml", description: "What docgauge audits in a build, and what it must reach." })
export type Config = typeof Config.Type

/** The JSON Schema of `docgauge.yaml`, draft 2020-12. */
export const configJsonSchema = (): object => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(Config, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}
