import type * as Schema from "effect/Schema"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import {
  reportDigest,
  type SigningKey,
  signingKeyOf,
  signReport
} from "../../../engine/audit/signature/ReportSignature.ts"
import { reportOf } from "../../server/ScriptedAuditor.ts"

/** A key that no service has. */
export const KEY = await signingKeyOf(new Uint8Array(32).fill(7))

export const ISSUER = "https://docgauge.example"

const RUN_ID = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
const SITE = "https://docs.signed.dev"
const STARTED = "2026-11-21T10:14:03.512874Z"

/** What a test wants otherwise. */
interface SignedRunOptions {
  readonly key?: SigningKey
  readonly issuer?: string
  readonly report?: AuditReport
}

/** A run as a service answers it, signed with a key of the test. */
export const signedRun = async ({ issuer = ISSUER, key = KEY, report = reportOf(SITE, 78) }: SignedRunOptions = {}) => {
  const json: Schema.Json = JSON.parse(JSON.stringify(report))
  const claims = { iss: issuer, run_id: RUN_ID, base_url: SITE, started_at: STARTED }
  const signature = await signReport(key, { ...claims, report_sha256: reportDigest(json) ?? "" })
  return {
    run_id: RUN_ID,
    status: "done",
    total_score: report.total_score,
    reliable: report.reliability.reliable,
    base_url: SITE,
    started_at: STARTED,
    share_url: `/r/${RUN_ID}`,
    report,
    signature
  }
}
