/**
 * `node scripts/recordSites.ts FOLDER [RUBRIC]` audits the golden sites of test/sites and keeps the report and the archive
 * of each: what `docgauge rescore` is tried on. The rubric is rubric.yaml where none is named.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../engine/audit/Audit.ts"
import { encodeReport } from "../engine/audit/Report.ts"
import { runInfoOf } from "../engine/audit/RunRecord.ts"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { defaultLimits } from "../engine/evidence/FetchLimits.ts"
import { writeArchive } from "../engine/evidence/Recording.ts"
import { userAgents } from "../engine/evidence/UserAgents.ts"
import { loadRubric } from "../engine/rubric/RubricFile.ts"
import { Parsing } from "../engine/site/Parsing.ts"
import { layerFakeSite } from "../engine/testing/FakeSite.ts"
import { plugins } from "../plugins/index.ts"
import { AUDIT_DATE, type GoldenSite } from "../test/sites/AuditFakeSite.ts"
import { goldenSites } from "../test/sites/GoldenSites.ts"

const [, , folder, path = resolve(import.meta.dirname, "..", "rubric.yaml")] = process.argv
if (folder === undefined) throw new Error("usage: node scripts/recordSites.ts FOLDER [RUBRIC]")
mkdirSync(folder, { recursive: true })
const rubric = await Effect.runPromise(loadRubric(readFileSync(path), path, plugins))

const record = Effect.fn("record")(function*({ name, site, url }: GoldenSite) {
  const request = { url, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, rubric }
  const { journal, report } = yield* runAudit(request).pipe(
    Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: new URL(url).origin }), Parsing.layerInline))
  )
  writeFileSync(join(folder, `${name}.json`), encodeReport(report))
  yield* writeArchive(join(folder, `${name}.warc.gz`), runInfoOf(request, defaultLimits, userAgents(ENGINE_VERSION, null)), journal)
})

await Effect.runPromise(Effect.forEach(goldenSites, record, { discard: true }))
