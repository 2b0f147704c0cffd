import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { runAudit } from "../../engine/audit/Audit.ts"
import { encodeReport } from "../../engine/audit/Report.ts"
import { runRecordOf } from "../../engine/audit/RunRecord.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { Auditor } from "../../engine/schedule/Auditor.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import type { ArchiveContent } from "../../engine/store/archives/ArchiveStore.ts"
import type { Run, RunProgress } from "../../engine/store/runs/Run.ts"
import { serveFakeSite } from "../../engine/testing/FakeServer.ts"
import { plugins } from "../../plugins/index.ts"
import { layerAuditProcesses } from "../../server/audits/AuditProcessLayer.ts"
import { OWN_RUBRIC } from "../../server/config/RubricLoading.ts"
import { freePort } from "../harness/FreePort.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"

const RUBRIC = readFileSync(new URL("../../rubric.yaml", import.meta.url))

const runOf = (url: string): Run => ({
  id: "01890a5d-ac96-774b-bcce-b302099a8057",
  status: "running",
  url,
  site: new URL(url).host,
  domain: new URL(url).hostname,
  rubricDigest: "",
  startedAt: "2026-11-21T10:00:00.000000Z",
  finishedAt: null,
  attempts: 1,
  progress: { done: 0, total: 0 },
  totalScore: null,
  reliable: null,
  error: null
})

const openAuditor = Effect.gen(function*() {
  const rubric = yield* loadRubric(RUBRIC, "rubric.yaml", plugins)
  return {
    rubric,
    auditor: Auditor.layer({ rubric: { ...OWN_RUBRIC, digest: rubric.digest }, sampleSize: 20, resolve: [], allowPrivate: true, allowHttp: false, userAgents: userAgents("0.0.0", null) }).pipe(
      Layer.provide(layerAuditProcesses(1))
    )
  }
})

const whereIs = (content: ArchiveContent): Uint8Array | string => (content instanceof Uint8Array ? content : content.path)

describe("the auditor", () => {
  it.live("audits over the network, and returns everything that is stored of a run", () =>
    Effect.gen(function*() {
      const { auditor, rubric } = yield* openAuditor
      const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      const progress: Array<RunProgress> = []
      let requested = 0
      const observer = { measured: (step: RunProgress) => { progress.push(step) }, requested: (count: number) => { requested += count } }
      const { archive, result } = yield* Auditor.use(({ audit }) => audit(runOf(server.origin + new URL(TYPICAL_URL).pathname), observer)).pipe(Effect.provide(auditor))

      assert.isAbove(result.totalScore, 0)
      assert.strictEqual(result.requests, server.requests())
      assert.strictEqual(result.requests, requested)
      const total = rubric.criteria.length + rubric.experimental.length
      assert.deepStrictEqual(progress.at(-1), { done: total, total })
      assert.strictEqual(result.facts.length, 30)
      assert.match(result.exchanges.find(({ status }) => status === 200)?.sha256 ?? "", /^[0-9a-f]{64}$/)

      // The archive is enough to have the same report again, byte for byte.
      const opened = yield* openArchive(whereIs(yield* archive))
      assert.isNotNull(opened.run)
      if (opened.run === null) return
      const { limits, ...request } = runRecordOf(opened.run)
      const again = yield* runAudit({ ...request, rubric }).pipe(
        Effect.provide(replay(opened)),
        Effect.provideService(FetchLimits, limits)
      )
      assert.strictEqual(encodeReport(again.report), result.encoded)
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped), 30_000)

  it.live("reports a site that does not respond", () =>
    Effect.gen(function*() {
      const { auditor } = yield* openAuditor
      const observer = { measured: () => {}, requested: () => {} }
      const url = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
      const failure = yield* Effect.flip(Auditor.use(({ audit }) => audit(runOf(url), observer)).pipe(Effect.provide(auditor)))
      assert.isNull(failure.error.code)
      assert.match(failure.advice ?? "", /./)
      // What was tried is on record, for whoever contests it.
      const { asked, run } = yield* openArchive(whereIs(yield* failure.archive ?? Effect.die("no archive")))
      assert.strictEqual(run?.audited, url)
      assert.isAbove(asked.length, 0)
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped))
})
