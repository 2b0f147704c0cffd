import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { clampedParameter } from "../../api/Parameters.ts"
import { adminErrors, Malformed } from "./AdminErrors.ts"
import { cursorParameter, moment } from "./Described.ts"

const inBrief = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** A page of the log. */
export const LogPage = Schema.Struct({
  entries: Schema.Array(Schema.Struct({
    serial: Schema.Int.annotate({ description: "Rises from entry to entry." }),
    at: moment("When it was done."),
    who: Schema.String.annotate({ description: "`sub` of the token, or the part of the service that did it by itself." }),
    action: Schema.String.annotate({ description: "What was done.", examples: ["run.hide"] }),
    subject: Schema.String.annotate({ description: "What it was done to.", examples: ["docs.example.com"] }),
    before: inBrief("How it was, in brief."),
    after: inBrief("How it is now, in brief.")
  })).annotate({ description: "Newest first." }),
  next_cursor: Schema.String.annotate({ description: "The `cursor` of the next page; empty on the last." })
}).annotate({ identifier: "LogPage", description: "Changes that operators made." })
export type LogPage = typeof LogPage.Type

const readLog = HttpApiEndpoint.get("readLog", "/api/admin/log", {
  query: {
    limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 200, fallback: 50, description: "Entries on a page. Values out of range are clamped." })),
    cursor: Schema.optionalKey(cursorParameter("The `next_cursor` of the page before."))
  },
  success: LogPage,
  error: [Malformed, ...adminErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Read the log",
  description: "Every change that was made through this API, and what retention dropped: who, when, what, on what, before and after. Nothing is ever taken out of it."
}))

/** GET /api/admin/log. */
export const logGroup = HttpApiGroup.make("log", { topLevel: true })
  .add(readLog)
  .annotateMerge(OpenApi.annotations({ title: "Log", description: "Who changed what." }))
