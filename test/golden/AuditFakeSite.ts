import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { type LoadedRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"

/** A site of our own writing, and the address at which it is audited. */
export interface GoldenSite {
  /** Its folder below test/sites. */
  readonly name: string
  readonly url: string
  readonly site: FakeSite
}

/** The day of all golden audits. */
export const AUDIT_DATE = "2026-11-21"

const RUBRIC = new URL("../../rubric.yaml", import.meta.url)

const rubric: Promise<LoadedRubric<BoundCriterion>> = Effect.runPromise(
  loadRubric(readFileSync(RUBRIC), "rubric.yaml", plugins)
)

/** The report of a real audit of a fake site: all plugins, the rubric of the tree, no network. */
export const auditFakeSite = async (
  { site, url }: Pick<GoldenSite, "site" | "url">,
  seed = 0
): Promise<AuditReport> => {
  const request = { url, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, rubric: await rubric }
  const audit = runAudit(request).pipe(
    Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: new URL(url).origin, seed }), ParserPool.layerInline))
  )
  const { report } = await Effect.runPromise(audit)
  return report
}
