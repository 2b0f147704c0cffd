/**
 * `node scripts/recordSites.ts [--golden-only] FOLDER [RUBRIC]` audits the golden sites of test/golden, and the real sites of
 * ../shared/corpus if that folder exists, and saves the report and the archive of each, to try `docgauge rescore` on. The
 * default rubric is rubric.yaml.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../engine/audit/Audit.ts"
import { type AuditOutcome, type AuditRequest, runInfoOf } from "../engine/audit/AuditRequest.ts"
import { encodeReport } from "../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../engine/audit/Version.ts"
import { defaultLimits } from "../engine/evidence/FetchLimits.ts"
import { writeArchive } from "../engine/evidence/archive/Recording.ts"
import { userAgents } from "../engine/evidence/UserAgents.ts"
import { loadRubric } from "../engine/rubric/RubricFile.ts"
import { ParserPool } from "../engine/parse/ParserPool.ts"
import { layerFakeSite } from "../engine/testing/FakeSite.ts"
import { plugins } from "../plugins/index.ts"
import { corpusRequest, runCorpusAudit } from "../test/corpus/AuditCorpusSite.ts"
import { type CorpusServer, hasCorpus, serveCorpus } from "../test/corpus/CorpusServer.ts"
import { type CorpusSite, corpusSites } from "../test/corpus/CorpusSites.ts"
import { AUDIT_DATE, type GoldenSite } from "../test/golden/AuditFakeSite.ts"
import { goldenSites } from "../test/golden/GoldenSites.ts"

const {
  positionals: [folder, path = resolve(import.meta.dirname, "..", "rubric.yaml")],
  values
} = parseArgs({ allowPositionals: true, options: { "golden-only": { type: "boolean", default: false } } })
if (folder === undefined) throw new Error("usage: node scripts/recordSites.ts [--golden-only] FOLDER [RUBRIC]")
mkdirSync(folder, { recursive: true })
const rubric = await Effect.runPromise(loadRubric(readFileSync(path), path, plugins))

/** Keeps the report of an audit and the archive behind it. */
const keep = Effect.fnUntraced(function* (name: string, request: AuditRequest, { journal, report }: AuditOutcome) {
  writeFileSync(join(folder, `${name}.json`), encodeReport(report))
  yield* writeArchive(
    join(folder, `${name}.warc.gz`),
    runInfoOf(request, defaultLimits, userAgents(ENGINE_VERSION, null)),
    journal
  )
})

const recordGolden = Effect.fn("recordGolden")(function* ({ name, site, url }: GoldenSite) {
  const request = { url, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, rubric }
  const outcome = yield* runAudit(request).pipe(
    Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: new URL(url).origin }), ParserPool.layerInline))
  )
  yield* keep(name, request, outcome)
})

/** A site that can't be audited has no report to judge again. */
const recordReal =
  (server: CorpusServer) =>
  ({ site, url }: CorpusSite) => {
    const request = corpusRequest(url, rubric)
    return Effect.matchEffect(runCorpusAudit(server, request), {
      onFailure: ({ message }) => Effect.sync(() => process.stderr.write(`${site}: ${message}\n`)),
      onSuccess: (outcome) => keep(site, request, outcome)
    })
  }

await Effect.runPromise(Effect.forEach(goldenSites, recordGolden, { discard: true }))
if (hasCorpus && !values["golden-only"]) {
  const server = await serveCorpus()
  try {
    await Effect.runPromise(Effect.forEach(corpusSites(), recordReal(server), { concurrency: 2, discard: true }))
  } finally {
    await server.stop()
  }
}
