import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { outcomeOf } from "../../engine/process/AuditResult.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { TestService } from "../server/TestService.ts"

/** The report of one of the golden sites, as a real audit made it. */
export const goldenReport = (name: "excellent" | "typical" | "poor" | "hostile" | "client-rendered"): AuditReport =>
  JSON.parse(readFileSync(new URL(`../golden/${name}/report.json`, import.meta.url), "utf8"))

/** The same report as if another site had got it, with `more` points more. */
export const reportFor = (report: AuditReport, url: string, more = 0): AuditReport => ({
  ...report,
  base_url: url,
  total_score: report.total_score + more,
  criteria: report.criteria.map((criterion, index) =>
    index === 0 ? { ...criterion, score: criterion.score + more } : criterion
  )
})

/** Puts a finished run with that report into the store, and returns its id. */
export const storeRun = Effect.fnUntraced(function* (report: AuditReport) {
  const store = yield* RunStore
  const url = report.base_url
  const { host, hostname, pathname } = new URL(url)
  const site = `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}`
  const domain = hostname.split(".").slice(-2).join(".")
  const { id } = yield* store.accept({ url, site, domain, rubricDigest: report.rubric.digest })
  yield* store.begin(id, "seed")
  yield* store.finish(
    { id, worker: "seed", attempt: 1 },
    {
      encoded: `${JSON.stringify(report)}\n`,
      totalScore: report.total_score,
      reliable: report.reliability.reliable,
      outcomes: report.criteria.map(outcomeOf),
      generator: null,
      facts: [],
      exchanges: [],
      durationMs: 12_000,
      requests: 130,
      bytes: 2_000_000
    }
  )
  return id
})

/** The same for a service that is there. */
export const seedRun = (service: TestService, report: AuditReport): Promise<string> => service.stores(storeRun(report))
