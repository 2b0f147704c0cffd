import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { NAMED_AGENTS } from "../../engine/audit/agents/NamedAgents.ts"
import { runAudit } from "../../engine/audit/Audit.ts"
import { replayRun } from "../../engine/audit/StoredRun.ts"
import { AuditReport, encodeReport } from "../../engine/audit/Report.ts"
import { runRecordOf } from "../../engine/audit/AuditRequest.ts"
import { REQUESTS_AS_AGENTS, RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { RESULT_FILE } from "../../engine/process/AuditTask.ts"
import { loadRubric, OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"
import { Auditor } from "../../engine/schedule/Auditor.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { LEAST_TEMPORARY_BYTES } from "../../engine/process/TemporaryFiles.ts"
import type { ArchiveContent } from "../../engine/store/archives/ArchiveStore.ts"
import { FreeSpace } from "../../engine/store/archives/ArchiveSpace.ts"
import type { Run, RunProgress } from "../../engine/store/runs/Run.ts"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { layerAuditProcesses } from "../../server/audits/AuditProcessLayer.ts"
import { loadReferenced } from "../../engine/external/RubricLoading.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { type NamedPlugin, OUTSIDE_RUBRIC_FILE, rubricOf } from "../external/ExternalRubric.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { bombProcesses } from "../worker/BombTask.ts"

/** A plugin of ours, which needs no thread. */
const LLMS_TXT: NamedPlugin = {
  plugin: "a1-llms-txt",
  revision: 3,
  params: "{ sample: 1, fetches: 1 }",
  when: "facts.h1 >= 1"
}

/** Asks the site again and again until its time is over. */
const SLOW: NamedPlugin = { plugin: "./endless.ts#asksSlowly", revision: 1, params: "{}", when: "facts.found >= 1" }

const RUBRIC = readFileSync(new URL("../../rubric.yaml", import.meta.url))

const runOf = (url: string, asAgents = false): Run => ({
  id: "01890a5d-ac96-774b-bcce-b302099a8057",
  status: "running",
  url,
  site: new URL(url).host,
  domain: new URL(url).hostname,
  rubricDigest: "",
  asAgents,
  startedAt: "2026-11-21T10:00:00.000000Z",
  finishedAt: null,
  attempts: 1,
  progress: { done: 0, total: 0 },
  totalScore: null,
  reliable: null,
  error: null
})

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Audit processes of all tests, because one takes seconds of processor time until its first audit ends. */
const processes = Layer.effectContext(
  Effect.runSync(Effect.cached(Layer.buildWithScope(layerAuditProcesses(1), scope)))
)

const rubric = await Effect.runPromise(loadRubric(RUBRIC, "rubric.yaml", plugins))

const auditorThat = (refusedRanges: ReadonlyArray<string>) =>
  Auditor.layer({
    rubric: { ...OWN_RUBRIC, digest: rubric.digest },
    sampleSize: 20,
    resolve: [],
    allowPrivate: true,
    refusedRanges,
    allowHttp: false,
    userAgents: userAgents("0.0.0", null)
  })

const auditor = auditorThat([]).pipe(Layer.provide(processes))

/** The same, with audit processes that do what the path of the URL names. */
const bombAuditor = Auditor.layer({
  rubric: { ...OWN_RUBRIC, digest: "" },
  sampleSize: 20,
  resolve: [],
  allowPrivate: false,
  allowHttp: false,
  userAgents: userAgents("0.0.0", null)
}).pipe(Layer.provide(bombProcesses))

const whereIs = (content: ArchiveContent): Uint8Array | string =>
  content instanceof Uint8Array ? content : content.path

/** Makes a folder the temporary one of this process until the scope closes, and deletes it then. */
const temporaryFolderAt = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env["TMPDIR"]
      process.env["TMPDIR"] = folder
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env["TMPDIR"]
        else process.env["TMPDIR"] = before
        rmSync(folder, { recursive: true, force: true })
      })
  ).pipe(Effect.as(folder))

describe("the auditor", () => {
  it.live("audits over the network, and returns everything that is stored of a run", () =>
    Effect.gen(function* () {
      const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      const progress: Array<RunProgress> = []
      let requested = 0
      const observer = {
        measured: (step: RunProgress) => {
          progress.push(step)
        },
        requested: (count: number) => {
          requested += count
        }
      }
      const { archive, result } = yield* Auditor.use(({ audit }) =>
        audit(runOf(server.origin + new URL(TYPICAL_URL).pathname), observer)
      ).pipe(Effect.provide(auditor))

      assert.isAbove(result.totalScore, 0)
      assert.strictEqual(result.requests, server.requests())
      assert.strictEqual(result.requests, requested)
      const total = rubric.criteria.length + rubric.experimental.length
      assert.deepInclude(progress.at(-1), { done: total, total })
      assert.lengthOf(progress.at(-1)?.criteria ?? [], total)
      assert.strictEqual(result.facts.length, total)
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
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live("asks as named agents where the run says so, and then alone, with the same score", () =>
    Effect.gen(function* () {
      const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      const url = server.origin + new URL(TYPICAL_URL).pathname
      const auditAs = Effect.fnUntraced(function* (asAgents: boolean) {
        const before = server.requests()
        const silent = { measured: () => undefined, requested: () => undefined }
        const { archive, result } = yield* Auditor.use(({ audit }) => audit(runOf(url, asAgents), silent))
        assert.strictEqual(result.requests, server.requests() - before)
        const { as_agents, ...rest } = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(result.encoded)
        return { matrix: as_agents, rest, result, archive: yield* openArchive(whereIs(yield* archive)) }
      }, Effect.provide(auditor))
      const plain = yield* auditAs(false)
      const owners = yield* auditAs(true)

      assert.isUndefined(plain.matrix)
      assert.deepStrictEqual(
        owners.matrix?.agents.map(({ id }) => id),
        NAMED_AGENTS.map(({ id }) => id)
      )
      assert.deepStrictEqual(owners.rest, plain.rest)
      const more = owners.result.requests - plain.result.requests
      assert.strictEqual(more, owners.matrix?.requests)
      assert.isAtMost(more, REQUESTS_AS_AGENTS)

      // Plans and rescoring read the archive without the matrix; what asks for it makes the same again.
      const replayed = yield* replayRun(owners.archive, rubric)
      assert.deepStrictEqual(replayed.report, owners.rest)
      if (owners.archive.run === null) return assert.fail("the archive does not say what was audited")
      const { askedAgents, limits, ...request } = runRecordOf(owners.archive.run)
      const again = yield* runAudit({ ...request, asAgents: askedAgents ?? [], rubric }).pipe(
        Effect.provide(replay(owners.archive)),
        Effect.provideService(FetchLimits, limits)
      )
      assert.strictEqual(encodeReport(again.report), owners.result.encoded)
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live("sends nothing to addresses in refused ranges from its process", () =>
    Effect.gen(function* () {
      const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) =>
          audit(runOf(server.origin), { measured: () => undefined, requested: () => undefined })
        ).pipe(Effect.provide(auditorThat(["127.0.0.0/8"]).pipe(Layer.provide(processes))))
      )
      assert.include(
        failure._tag === "NotAudited" ? failure.error.message : failure.message,
        "docgauge does not contact"
      )
      assert.strictEqual(server.requests(), 0)
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live(
    "reports the other criteria where an external plugin is still busy long after everything else was gathered",
    () =>
      Effect.gen(function* () {
        vi.stubEnv("DOCGAUGE_PLUGIN_SECONDS", "4")
        yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
        const location = {
          file: OUTSIDE_RUBRIC_FILE,
          content: Buffer.from(rubricOf([LLMS_TXT, SLOW])).toString("base64"),
          pluginSeconds: 12
        }
        const { digest } = yield* loadReferenced(location, plugins)
        const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
        const auditor = Auditor.layer({
          rubric: { ...location, digest },
          sampleSize: 2,
          resolve: [],
          allowPrivate: true,
          allowHttp: false,
          userAgents: userAgents("0.0.0", null)
        }).pipe(Layer.provide([layerAuditProcesses(1), Layer.succeed(FetchLimits, limitsWith({ gatherMs: 60_000 }))]))
        const { result } = yield* Auditor.use(({ audit }) =>
          audit(runOf(server.origin + new URL(TYPICAL_URL).pathname), { measured: () => {}, requested: () => {} })
        ).pipe(Effect.provide(auditor))
        const { criteria } = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(result.encoded)
        assert.deepStrictEqual(
          criteria.map(({ status }) => status),
          ["present", "inconclusive"]
        )
        assert.match(criteria[1]?.summary ?? "", /it took more than 12 s\.$/)
      }).pipe(Effect.provide([ParserPool.layerInline, NodeServices.layer]), Effect.scoped)
  )

  it.live("reports a site that does not respond", () =>
    Effect.gen(function* () {
      const observer = { measured: () => {}, requested: () => {} }
      const url = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) => audit(runOf(url), observer)).pipe(Effect.provide(auditor))
      )
      if (failure._tag !== "NotAudited") return yield* Effect.die(failure)
      assert.isNull(failure.error.code)
      assert.match(failure.advice ?? "", /./)
      // What was tried is on record as proof.
      const { asked, run } = yield* openArchive(whereIs(yield* failure.archive ?? Effect.die("no archive")))
      assert.strictEqual(run?.audited, url)
      assert.isAbove(asked.length, 0)
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live("says that its temporary folder is full, and what its operator can do", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolderAt(mkdtempSync(join(tmpdir(), "docgauge-full-")))
      const server = yield* serveFakeSite(typicalSite(), { host: new URL(TYPICAL_URL).origin })
      // What is written to /dev/full fails as on a full disk.
      const fill = (): void => {
        for (const name of readdirSync(folder)) {
          const path = join(folder, name, RESULT_FILE)
          if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync("/dev/full", path)
        }
      }
      const observer = { measured: fill, requested: () => {} }
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) => audit(runOf(server.origin + new URL(TYPICAL_URL).pathname), observer)).pipe(
          Effect.provide(auditor)
        )
      )
      if (failure._tag !== "NotAudited") return yield* Effect.die(failure)
      assert.deepStrictEqual(failure.error, {
        code: "internal",
        message:
          "The audit failed because the temporary folder of this service is full. Its operator must free space there, or set TMPDIR to another folder."
      })
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live("begins no audit, and says why, without a temporary folder that it can write to", () =>
    Effect.gen(function* () {
      yield* temporaryFolderAt(join(tmpdir(), "docgauge-not-there"))
      const observer = { measured: () => {}, requested: () => {} }
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) => audit(runOf("http://127.0.0.1"), observer)).pipe(Effect.provide(auditor))
      )
      assert.strictEqual(failure._tag, "CannotAudit")
      assert.strictEqual(
        failure.message,
        "No audit can begin because this service cannot write to its temporary folder (ENOENT). Its operator must set TMPDIR to a folder that it can write to."
      )
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live("begins no audit, and says why, if its temporary folder has too little space for what an audit writes", () =>
    Effect.gen(function* () {
      const observer = { measured: () => {}, requested: () => {} }
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) => audit(runOf("http://127.0.0.1"), observer)).pipe(Effect.provide(auditor))
      )
      assert.strictEqual(failure._tag, "CannotAudit")
      assert.strictEqual(
        failure.message,
        "No audit can begin because the temporary folder of this service is full. Its operator must free space there, or set TMPDIR to another folder."
      )
    }).pipe(
      Effect.provide(ParserPool.layerInline),
      Effect.provideService(FreeSpace, () => Promise.resolve(LEAST_TEMPORARY_BYTES - 1)),
      Effect.scoped
    )
  )

  it.live("begins no audit, and says why, if it may start no process", () =>
    Effect.gen(function* () {
      const own = process.execPath
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.execPath = join(tmpdir(), "docgauge-no-node")
        }),
        () =>
          Effect.sync(() => {
            process.execPath = own
          })
      )
      const observer = { measured: () => {}, requested: () => {} }
      const failure = yield* Effect.flip(
        Auditor.use(({ audit }) => audit(runOf("http://127.0.0.1"), observer)).pipe(
          Effect.provide(auditorThat([]).pipe(Layer.provide(layerAuditProcesses(1))))
        )
      )
      assert.strictEqual(failure._tag, "CannotAudit")
      assert.strictEqual(
        failure.message,
        "No audit can begin because this service could not start a process for it. Its operator must see whether it lacks memory, or may have more processes."
      )
    }).pipe(Effect.provide(ParserPool.layerInline), Effect.scoped)
  )

  it.live(
    "says that the system killed its process, most likely because memory was short, and what its operator can do",
    () =>
      Effect.gen(function* () {
        let requested = 0
        const observer = {
          measured: () => {},
          requested: (count: number) => {
            requested += count
          }
        }
        const failure = yield* Effect.flip(
          Auditor.use(({ audit }) => audit(runOf("https://docs.example.com/kill"), observer))
        )
        assert.strictEqual(failure._tag, "CannotAudit")
        assert.strictEqual(
          failure.message,
          "The audit was stopped because the system killed its process, most likely because memory was short. Allow 768 MB for each concurrent audit and 700 MB besides, or run fewer at once (DOCGAUGE_CONCURRENT_AUDITS in a service)."
        )
        assert.isAtLeast(requested, RESERVED_REQUESTS)
      }).pipe(Effect.provide(bombAuditor), Effect.scoped)
  )

  it.live.each(["largeResult", "wrongResult"])(
    "reads no report from an audit process that wrote something else: %s",
    (bomb) =>
      Effect.gen(function* () {
        const observer = { measured: () => {}, requested: () => {} }
        const exit = yield* Effect.exit(
          Auditor.use(({ audit }) => audit(runOf(`https://docs.example.com/${bomb}`), observer))
        )
        assert.isTrue(Exit.hasDies(exit), String(exit))
      }).pipe(Effect.provide(bombAuditor), Effect.scoped)
  )
})
