import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoredReport } from "../../engine/store/Run.ts"

/** What of a stored report goes into its diagnostics; reports of older engines may lack it. */
const Diagnosed = Schema.Struct({
  rubric: Schema.Struct({ id: Schema.String, version: Schema.String, digest: Schema.String }),
  engine_version: Schema.String,
  reliability: Schema.Struct({ flags: Schema.Array(Schema.String), skipped: Schema.Array(Schema.Unknown) })
})

const readDiagnosed = Schema.decodeUnknownOption(Schema.fromJsonString(Diagnosed))

/** Bytes that the header may take, in base64. */
const LONGEST = 4_096

/** `X-Audit-Diagnostics` of a finished run: base64 of JSON. The list of what was skipped is cut to fit. */
export const diagnosticsOf = ({ bytes, durationMs, encoded, requests, run }: StoredReport): string | null => {
  const report = Option.getOrNull(readDiagnosed(encoded))
  if (report === null) return null
  const { engine_version, reliability: { flags, skipped }, rubric } = report
  const header = (skipped: ReadonlyArray<unknown>): string =>
    Buffer.from(JSON.stringify({ run_id: run.id, rubric, engine_version, duration_ms: durationMs, requests, bytes, flags, skipped })).toString("base64")
  const whole = header(skipped)
  if (whole.length <= LONGEST) return whole
  const fitting = Math.floor(skipped.length * (LONGEST - header([]).length) / (whole.length - header([]).length))
  const cut = header(skipped.slice(0, Math.max(0, fitting - 1)))
  return cut.length <= LONGEST ? cut : header([])
}
