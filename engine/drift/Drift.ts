import * as Schema from "effect/Schema"

/*
 * Drift: where examples, calls, tables and figures of a documentation say something else than the description or than one another.
 */

const text = (description: string) => Schema.String.annotate({ description })

/** The longest text of a finding, in characters: sites have a say in how long they are. */
export const LONGEST_DRIFT_TEXT = 300

/** What is compared. */
export const DriftKind = Schema.Literals(["example", "call", "table", "figure"]).annotate({
  description:
    "`example`: an example or default of the description, with its own schema; `call`: a call that a page shows, with the description; `table`: a parameter or response table, with the description; `figure`: the base URL, version or rate limit that a text names."
})
export type DriftKind = typeof DriftKind.Type

export const DRIFT_KINDS: ReadonlyArray<DriftKind> = DriftKind.literals

/** Every reason, and what it means. */
export const DRIFT_REASONS = {
  schema: "an example or default is refused by its schema",
  unknown_path: "a call has a path that the description does not have",
  unknown_host: "a call has a host that is one of the description's but for a letter or two",
  unknown_method: "a call has a method that the description does not have for its path",
  unknown_version: "a call names another version than the description",
  unknown_parameter: "a parameter that the operation does not have",
  missing_parameter: "a call leaves out a parameter that the operation requires",
  unknown_field: "a field that the body or the answer of the operation does not have",
  missing_field: "a call leaves out a field that the operation requires",
  wrong_type: "a value or a table has another type than the description",
  not_in_enum: "a value that the description does not list",
  required: "a table says that a parameter is required or optional, and the description says the opposite",
  deprecated: "the description says that it is deprecated, and the page does not",
  base_url: "a text names a base URL that is no server of the description",
  version: "the changelog has a newer release than the description",
  rate_limit: "two texts state different rate limits"
} as const

export type DriftReason = keyof typeof DRIFT_REASONS

const REASONS = Object.keys(DRIFT_REASONS) as ReadonlyArray<DriftReason>

const line = Schema.NullOr(Schema.Int).annotate({
  description: "The line in the body that was answered, from 1; `null` where it is not known."
})

const place = Schema.Struct({ url: text("The URL that was fetched."), line }).annotate({
  identifier: "DriftPage",
  description: "A page, and where on it."
})

/** Something false, with both of its places. */
export const DriftFinding = Schema.Struct({
  kind: DriftKind,
  reason: Schema.Literals(REASONS).annotate({
    description: Object.entries(DRIFT_REASONS)
      .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
      .join("; ")
  }),
  message: text("What is false, in one plain sentence."),
  page: Schema.NullOr(place).annotate({ description: "The page; `null` for an example of the description." }),
  other: Schema.optionalKey(Schema.NullOr(place)).annotate({
    description: "The other page, of which this one differs; missing where the description is the other side."
  }),
  description: Schema.NullOr(
    Schema.Struct({
      url: text("The URL of the description, or its file."),
      pointer: text("A JSON pointer into it.")
    }).annotate({ identifier: "DriftDescription", description: "A place in the description." })
  ).annotate({ description: "The place in the description; `null` where two pages differ." }),
  found: text("What is shown; empty where something is missing."),
  expected: text("What the other side has."),
  call: Schema.optionalKey(text("The call as the page shows it, such as `GET /orders/17`.")),
  likely: Schema.optionalKey(text("The operation that a call most likely means, such as `GET /orders/{id}`."))
}).annotate({ identifier: "DriftFinding", description: "Something false, with both of its places." })
export type DriftFinding = typeof DriftFinding.Type

const total = (description: string) => Schema.Int.annotate({ description })

/** What was compared, and what of it is false. */
export const DriftReport = Schema.Struct({
  compared: total("Examples, calls, table rows and figures that were compared."),
  agreeing: total("Of those, the ones that agree."),
  false: total("Of those, the ones that do not."),
  not_compared: total("Those of which nothing can be said: of another host or product, shown as old, or ambiguous."),
  findings: Schema.Array(DriftFinding).annotate({ description: "What is false, at most 50." }),
  findings_left_out: Schema.optionalKey(total("How many findings beyond those were left out."))
}).annotate({
  identifier: "Drift",
  description: "Where examples, calls, tables and figures say something else than the API description or one another."
})
export type DriftReport = typeof DriftReport.Type
