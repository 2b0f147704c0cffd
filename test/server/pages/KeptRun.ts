import * as Effect from "effect/Effect"
import { type AuditReport, encodeReport } from "../../../engine/audit/Report.ts"
import { outcomeOf } from "../../../engine/process/AuditResult.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import type { TestService } from "../TestService.ts"

/** Puts a finished run with that report into the service's store, as an audit would; gives its id. */
export const keepRun = (service: TestService, report: AuditReport): Promise<string> =>
  keepEncoded(service, report, encodeReport(report))

/** The same with another text for the report itself. */
export const keepEncoded = ({ stores }: TestService, report: AuditReport, encoded: string): Promise<string> =>
  stores(
    Effect.gen(function* () {
      const store = yield* RunStore
      const { hostname } = new URL(report.base_url)
      const { id } = yield* store.accept({
        url: report.base_url,
        site: hostname,
        domain: hostname,
        rubricDigest: report.rubric.digest
      })
      yield* store.begin(id, "test")
      yield* store.finish(
        { id, worker: "test", attempt: 1 },
        {
          encoded,
          totalScore: report.total_score,
          reliable: report.reliability.reliable,
          outcomes: report.criteria.map(outcomeOf),
          generator: null,
          facts: [],
          exchanges: [],
          durationMs: 1,
          requests: 1,
          bytes: 1
        }
      )
      return id
    })
  )
