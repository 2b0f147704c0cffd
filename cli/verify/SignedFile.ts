import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import { hasDuplicateNames, isWithinDepth, MOST_CLIENT_DEPTH } from "../../engine/text/JsonText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readForeignText } from "../io/Files.ts"

/** Maximum size of a file with a report in bytes, as of an answer that `--server` reads. */
const MOST_BYTES = 16 * 1_024 * 1_024

const WHAT = "a run or a report of a docgauge service in JSON"

const { base_url, criteria, rubric, total_score } = AuditReport.fields

/** What of a report is printed, from whatever version of docgauge. */
const ShownReport = Schema.Struct({
  base_url,
  total_score,
  rubric,
  reliability: Schema.optionalKey(Schema.Struct({ reliable: Schema.Boolean })),
  criteria: Schema.Array(Schema.Struct({ id: criteria.value.fields.id }))
})
type ShownReport = typeof ShownReport.Type

/** A file that may have a signed report. */
export interface SignedFile {
  readonly path: string
  /** The run around the report; `null` if the file is the report alone. */
  readonly run: Schema.JsonObject | null
  readonly report: Schema.Json
  /** Of the report, with texts that are safe to show. */
  readonly shown: ShownReport
  /** Whether two members of an object have one name, so that another parser may read another report. */
  readonly isAmbiguous: boolean
}

/** Reads a file that is as untrusted as what it says. */
export const readSignedFile = Effect.fnUntraced(function* (path: string): Effect.fn.Return<SignedFile, CliFailure> {
  const name = plainText(path, 200)
  const text = yield* readForeignText(path, MOST_BYTES, WHAT)
  if (!isWithinDepth(text, MOST_CLIENT_DEPTH))
    return yield* wrongUsage(`${name} is not ${WHAT}: it is nested deeper than ${MOST_CLIENT_DEPTH} levels.`)
  const document = Option.getOrNull(readJson(text))
  if (!isObject(document)) return yield* wrongUsage(`${name} is not ${WHAT}.`)
  const run = "run_id" in document ? document : null
  const report = run === null ? document : run["report"]
  if (!isObject(report))
    return yield* wrongUsage(`${name} is a run without a report. Save it again once its status is done.`)
  const shown = yield* Effect.mapError(readInert(JSON.stringify(report), ShownReport), ({ message }) =>
    wrongUsage(`${name} is not ${WHAT}: ${message}`)
  )
  return { path: name, run, report, shown, isAmbiguous: hasDuplicateNames(text) }
})

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const isObject = (value: Schema.Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
