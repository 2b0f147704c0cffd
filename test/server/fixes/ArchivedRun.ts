import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { runAudit } from "../../../engine/audit/Audit.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { runInfoOf } from "../../../engine/audit/AuditRequest.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { plugins } from "../../../plugins/index.ts"
import { archiveBytes } from "../../evidence/archive/ArchiveBytes.ts"
import { keepRun } from "../pages/KeptRun.ts"
import type { TestService } from "../TestService.ts"

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

/** An audit, and the bytes of its archive. */
export interface ArchivedAudit {
  readonly report: AuditReport
  readonly archive: Uint8Array
}

/** Audits a site as the service does. */
export const archivedAudit = (site: FakeSite, url: string): Promise<ArchivedAudit> => {
  const request = { url, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric }
  return Effect.runPromise(
    Effect.gen(function* () {
      const { journal, report } = yield* runAudit(request)
      return {
        report,
        archive: yield* archiveBytes(runInfoOf(request, defaultLimits, userAgents("0.0.0", null)), journal)
      }
    }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: new URL(url).origin }), ParserPool.layerInline)))
  )
}

/** Puts a finished run with its archive into a service; gives its id. */
export const keepArchivedRun = async (service: TestService, { archive, report }: ArchivedAudit): Promise<string> => {
  const id = await keepRun(service, report)
  await service.stores(
    ArchiveStore.use((archives) =>
      archives.put({ id, site: new URL(report.base_url).host, attempt: 1 }, archive, "report")
    )
  )
  return id
}
