import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { type EncodedReport, RunStore } from "../../engine/store/runs/RunStore.ts"
import type { AsyncAccepted, RunBody } from "../api/Runs.ts"
import { CachedResponse, ResponseCache } from "../response/ResponseCache.ts"
import { JSON_TYPE, NO_STORE } from "../response/CommonHeaders.ts"
import { EncodedBody } from "../response/EncodedBody.ts"
import { ReportSigner } from "./ReportSigner.ts"

/** A finished run, which never changes, with its responses. */
export class FinishedRun {
  readonly id: string
  /** `X-Audit-Signature`, if the report is signed. */
  readonly signatureHeader: Readonly<Record<string, string>>
  /** The JSON of the report, byte for byte as it was stored. */
  readonly report: EncodedBody
  /** The JSON of the run, with the report in it. */
  readonly run: EncodedBody
  /** The response to GET of the run. */
  readonly runResponse: CachedResponse
  /** The response to a request for an audit that this report answers. */
  readonly cachedReport: CachedResponse
  private readonly headers: Readonly<Record<string, string>>

  constructor(stored: EncodedReport, signature: string | null) {
    const {
      encoded,
      run: { id }
    } = stored
    const diagnostics = diagnosticsOf(stored, LONGEST - (signature?.length ?? 0))
    this.id = id
    this.signatureHeader = signature === null ? {} : { "x-audit-signature": signature }
    this.report = new EncodedBody(encoded)
    this.run = new EncodedBody(bodyWithReport(stored.run, encoded, signature))
    this.headers = {
      ...NO_STORE,
      ...this.signatureHeader,
      "x-audit-run-id": id,
      link: shareLinkOf(id),
      ...(diagnostics === null ? {} : { "x-audit-diagnostics": diagnostics })
    }
    this.runResponse = new CachedResponse(this.run, { type: JSON_TYPE, headers: NO_STORE, tagged: false })
    this.cachedReport = this.reportResponse("HIT")
  }

  /** Bytes of memory. */
  get cost(): number {
    return this.report.cost + this.run.cost
  }

  /** The response to a request for an audit. `MISS`: the audit was made for this request. */
  reportResponse(cache: "HIT" | "MISS"): CachedResponse {
    return new CachedResponse(this.report, {
      type: JSON_TYPE,
      headers: { ...this.headers, "x-audit-cache": cache },
      tagged: false
    })
  }
}

/** Path of the page of a run. */
export const sharePath = (runId: string): string => `/r/${runId}`

/** Path of the poll endpoint of a run. */
export const pollPath = (runId: string): string => `/api/public/audit/${runId}`

/** `Link` to the page of a run. */
export const shareLinkOf = (runId: string): string => `<${sharePath(runId)}>; rel="alternate"`

/** The body of a run without a report. */
export const bodyWithoutReport = (run: Run): RunBody => {
  const {
    error,
    id,
    progress: { done, total },
    startedAt,
    status,
    url
  } = run
  const common = { base_url: url, started_at: startedAt, share_url: sharePath(id) }
  return status === "error"
    ? { run_id: id, status, error: error?.message ?? "The audit failed.", ...codeOf(error?.code ?? null), ...common }
    : {
        run_id: id,
        status: status === "running" ? status : "pending",
        ...common,
        progress: { done, total },
        poll_url: pollPath(id)
      }
}

const codeOf = (code: string | null): { readonly code?: "audit_failed" | "internal" } =>
  code === "audit_failed" || code === "internal" ? { code } : {}

/** The body of a finished run without its report. */
export const bodyOfDone = ({ id, reliable, startedAt, totalScore, url }: Run) => ({
  run_id: id,
  status: "done",
  total_score: totalScore,
  reliable,
  base_url: url,
  started_at: startedAt,
  share_url: sharePath(id)
})

/** The body of a finished run around its report, which is already JSON text. */
const bodyWithReport = (run: Run, report: string, signature: string | null): string => {
  const signed = signature === null ? "" : `,"signature":${JSON.stringify(signature)}`
  return `${JSON.stringify(bodyOfDone(run)).slice(0, -1)},"report":${report.trimEnd()}${signed}}
`
}

/** The body of a 202. Always `pending`, as the contract requires, whatever the run's status. */
export const acceptedBody = (runId: string): AsyncAccepted => ({
  run_id: runId,
  status: "pending",
  poll_url: pollPath(runId),
  share_url: sharePath(runId)
})

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

/** Maximum length of the header together with the signature, in bytes: proxies limit all headers of an answer. */
const LONGEST = 4_096

/** `X-Audit-Diagnostics` of a finished run: base64 of JSON. The list of what was skipped is cut to fit. */
const diagnosticsOf = (
  { bytes, durationMs, encoded, requests, run }: EncodedReport,
  longest: number
): string | null => {
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
  if (whole.length <= longest) return whole
  const fitting = Math.floor((skipped.length * (longest - header([]).length)) / (whole.length - header([]).length))
  const cut = header(skipped.slice(0, Math.max(0, fitting - 1)))
  return cut.length <= longest ? cut : header([])
}

/** Reads the JSON of a report, with texts that are safe to show. One of our own that cannot be decoded is a defect. */
export const readReport = (text: string): Effect.Effect<AuditReport> => Effect.orDie(readInert(text, AuditReport))

class DecodedReport {
  readonly report: AuditReport
  /** Bytes of memory: objects take some four times as much as their JSON. */
  readonly cost: number

  constructor(report: AuditReport, bytes: number) {
    this.report = report
    this.cost = 4 * bytes
  }
}

/** Finished runs, through the response cache. */
export class FinishedRuns extends Context.Service<
  FinishedRuns,
  {
    /** The run if it is cached, `null` otherwise. */
    readonly peek: (id: string) => Effect.Effect<FinishedRun | null>
    /** `null` unless the run is `done`. */
    readonly get: (id: string) => Effect.Effect<FinishedRun | null, StoreUnavailable>
    /** The report of a run, with texts that are safe to show. */
    readonly read: (finished: FinishedRun) => Effect.Effect<AuditReport>
  }
>()("docgauge/server/FinishedRuns") {
  static readonly layer: Layer.Layer<FinishedRuns, never, RunStore | ResponseCache | ReportSigner> = Layer.effect(
    FinishedRuns,
    Effect.gen(function* () {
      const [store, responses, signer] = [yield* RunStore, yield* ResponseCache, yield* ReportSigner]
      const made = (stored: EncodedReport) =>
        Effect.map(signer.sign(stored.run, stored.encoded), (signature) => new FinishedRun(stored, signature))
      return {
        peek: (id) => responses.peek(keyOf(id), FinishedRun),
        get: (id) =>
          responses.get(
            keyOf(id),
            FinishedRun,
            Effect.flatMap(store.report(id), (stored) => (stored === null ? Effect.succeed(null) : made(stored)))
          ),
        read: ({ id, report }) =>
          Effect.map(
            responses.get<DecodedReport, never, never>(
              `decoded:${id}`,
              DecodedReport,
              Effect.map(readReport(report.text), (decoded) => new DecodedReport(decoded, report.identity.length))
            ),
            ({ report }) => report
          )
      }
    })
  )
}

const keyOf = (id: string): string => `run:${id}`
