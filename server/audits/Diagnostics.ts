import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import type { EncodedReport } from "../../engine/store/runs/RunStore.ts"

const {
  engine_version,
  reliability: {
    fields: { flags, skipped }
  },
  rubric: {
    fields: { digest, id, version }
  }
} = AuditReport.fields

/** The fields of a stored report that its diagnostics contain. */
const Diagnosed = Schema.Struct({
  rubric: Schema.Struct({ id, version, digest }),
  engine_version,
  reliability: Schema.Struct({ flags, skipped })
})

const readDiagnosed = Schema.decodeUnknownOption(Schema.fromJsonString(Diagnosed))

/** Maximum length of the header, in bytes of base64. */
const LONGEST = 4_096

/** `X-Audit-Diagnostics` of a finished run: base64 of JSON. The list of what was skipped is cut to fit. */
export const diagnosticsOf = ({ bytes, durationMs, encoded, requests, run }: EncodedReport): string | null => {
  const report = Option.getOrNull(readDiagnosed(encoded))
  if (report === null) return null
  const {
    engine_version,
    reliability: { flags, skipped },
    rubric
  } = report
  const header = (skipped: ReadonlyArray<unknown>): string =>
    Buffer.from(
      JSON.stringify({
        run_id: run.id,
        rubric,
        engine_version,
        duration_ms: durationMs,
        requests,
        bytes,
        flags,
        skipped
      })
    ).toString("base64")
  const whole = header(skipped)
  if (whole.length <= LONGEST) return whole
  const fitting = Math.floor((skipped.length * (LONGEST - header([]).length)) / (whole.length - header([]).length))
  const cut = header(skipped.slice(0, Math.max(0, fitting - 1)))
  return cut.length <= LONGEST ? cut : header([])
}
