import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Command } from "effect/cli"
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises"
import type { AuditOutcome } from "../../engine/audit/Audit.ts"
import type { AuditFailed } from "../../engine/audit/AuditError.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import { auditPreparing, type Preparation } from "../../engine/audit/PreparedAudit.ts"
import { AuditReport } from "../../engine/audit/Report.ts"
import { type RunRecord, runInfoOf, runRecordOf } from "../../engine/audit/RunRecord.ts"
import { parseTarget } from "../../engine/audit/Target.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { originOf, plainForm } from "../../engine/evidence/Address.ts"
import type { Recorded } from "../../engine/evidence/Archive.ts"
import { defaultLimits, FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/GuardedHttp.ts"
import { politely } from "../../engine/evidence/Politeness.ts"
import { parseResolveRule, type ResolveRule } from "../../engine/evidence/ResolveRule.ts"
import type { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { Parsing } from "../../engine/site/Parsing.ts"
import { auditBegins } from "../AuditClock.ts"
import { CliFailure, ExitCode, wrongUsage } from "../CliFailure.ts"
import { readJsonFile } from "../JsonFile.ts"
import { printReport } from "../PrintReport.ts"
import { makeProgress } from "../render/Progress.ts"
import { auditFlags } from "./auditFlags.ts"

type AuditFlags = Command.Command.Config.Infer<typeof auditFlags>

const AGENTS = userAgents(ENGINE_VERSION, null)

/** Where evidence comes from, and the run that it belongs to. */
interface Source {
  readonly transport: Layer.Layer<Transport>
  readonly run: RunRecord
}

/** The command; `parsing` is what a local audit reads pages with. */
export const auditWith = (parsing: Layer.Layer<Parsing>) => Command.make("docgauge", auditFlags, Effect.fn("audit")(function*(flags: AuditFlags) {
  yield* checkNumbers(flags)
  yield* Option.match(flags.server, {
    onNone: () => Effect.provide(localAudit(flags), parsing),
    onSome: (server) => remoteAudit(flags, server)
  })
})).pipe(
  Command.withDescription("Audit how well an AI agent can find, read, call and act on an API documentation site"),
  Command.withExamples([
    { command: "docgauge https://docs.example.com", description: "Audit a site, and print what to mend next" },
    { command: "docgauge https://docs.example.com --format json --output report.json --min-score 75", description: "In CI: keep the report, fail below 75" },
    { command: "docgauge https://preview.example.net --canonical-origin https://docs.example.com", description: "Audit a preview that names its production address" }
  ])
)

/** Measured here. The page reader gets ready while the first answers are on their way. */
const localAudit = Effect.fnUntraced(function*(flags: AuditFlags) {
  const { run, transport } = yield* Option.match(flags.replay, {
    onNone: () => liveSource(flags),
    onSome: (path) => replaySource(flags, path)
  })
  const baseline = yield* baselineOf(flags)
  const preparation = yield* preparationFor(flags)
  yield* auditBegins(run.limits.gatherMs / 1_000, flags.allowPlugins)
  const audited = yield* auditWithProgress(run, preparation, flags.quiet, transport)
  const { journal } = Result.merge(audited)
  // A file that cannot be written must not cost the report.
  const kept = yield* Effect.result(record(flags.record, run, preparation, journal))
  const { report } = yield* Effect.fromResult(Result.mapError(audited, notAudited))
  yield* printReport(report, flags)
  yield* Effect.fromResult(kept)
  yield* holdTo(report, baseline, flags)
})

type Prepared = Preparation<CliFailure>

/**
 * Loads what an audit needs after its first requests while they are on their way. A rubric that is given is read before:
 * it may be wrong. So is one that a record will name, also of an audit that fails at once.
 */
const preparationFor = Effect.fnUntraced(function*(flags: AuditFlags): Effect.fn.Return<Prepared, CliFailure, FileSystem.FileSystem> {
  const files = yield* Effect.context<FileSystem.FileSystem>()
  const rubric = yield* Effect.cached(Effect.provideContext(rubricFor(flags), files))
  if (Option.isSome(flags.rubric) || Option.isSome(flags.record)) yield* rubric
  return { forbidsAudit, auditSite, rubric }
})

const forbidsAudit = Effect.gen(function*() {
  yield* moment
  return (yield* Effect.promise(() => import("../../engine/site/Robots.ts"))).forbidsAudit
})

const auditSite = Effect.gen(function*() {
  yield* moment
  return (yield* Effect.promise(() => import("../../engine/audit/SiteAudit.ts"))).auditSite
})

const rubricFor = Effect.fnUntraced(function*({ allowPlugins, rubric }: AuditFlags) {
  yield* moment
  yield* Effect.promise(() => import("../../engine/rubric/RubricFile.ts"))
  yield* moment
  const { readRubric } = yield* Effect.promise(() => import("../Rubrics.ts"))
  yield* moment
  return yield* readRubric(rubric, allowPlugins)
})

/** Loading keeps the thread busy: before that, what was asked for leaves, and what has arrived is taken. */
const moment = Effect.promise(() => pause(5).then(() => turn()))

const baselineOf = ({ baseline }: AuditFlags) =>
  Option.isNone(baseline) ? Effect.succeed(null) : readJsonFile(baseline.value, AuditReport, "a docgauge report in JSON")

/** The same, measured by a service: what it fetches and judges by is its own. */
const remoteAudit = Effect.fnUntraced(function*(flags: AuditFlags, server: string) {
  const baseline = yield* baselineOf(flags)
  const url = yield* targetOf({ ...flags, allowHttp: true, allowPrivate: true })
  const { auditAt } = yield* Effect.promise(() => import("../RemoteAudit.ts"))
  const report = yield* auditAt(server, url, flags.quiet)
  yield* printReport(report, flags)
  yield* holdTo(report, baseline, flags)
})

const auditWithProgress = (
  run: RunRecord,
  preparation: Prepared,
  quiet: boolean,
  transport: Layer.Layer<Transport>
): Effect.Effect<Result.Result<AuditOutcome, AuditFailed>, CliFailure, Parsing> =>
  Effect.suspend(() => {
    const progress = makeProgress(quiet)
    return auditPreparing({ ...run, listen: progress.listen }, preparation).pipe(
      Effect.map((outcome): Result.Result<AuditOutcome, AuditFailed> => Result.succeed(outcome)),
      Effect.catchTag("AuditFailed", (failed) => Effect.succeed(Result.fail(failed))),
      Effect.provide(transport),
      Effect.provideService(FetchLimits, run.limits),
      Effect.ensuring(Effect.sync(progress.end))
    )
  })

const notAudited = ({ advice, message }: AuditFailed): CliFailure =>
  new CliFailure({ code: ExitCode.notAudited, message: `${message}\n${advice}` })

/** Keeps the evidence, of an audit that failed too: it can be replayed, and fails in the same way. */
const record = Effect.fnUntraced(function*(path: Option.Option<string>, run: RunRecord, preparation: Prepared, journal: ReadonlyArray<Recorded>) {
  if (Option.isNone(path)) return
  const rubric = yield* preparation.rubric
  const { writeArchive } = yield* Effect.promise(() => import("../../engine/evidence/Recording.ts"))
  const written = writeArchive(path.value, runInfoOf({ ...run, rubric }, run.limits, AGENTS), journal)
  yield* Effect.mapError(written, ({ message }) => wrongUsage(`${message} (${path.value}).`))
})

/** Numbers that make no sense end the program before anything is done. */
const checkNumbers = ({ concurrency, maxDrop, minScore, sample, timeout }: AuditFlags): Effect.Effect<void, CliFailure> => {
  const ranges: ReadonlyArray<readonly [string, number, number, number]> = [
    ["--sample", sample, 1, 200],
    ["--concurrency", concurrency, 1, 6],
    ["--timeout", timeout, 1, 3_600],
    ["--max-drop", maxDrop, 0, 100],
    ["--min-score", Option.getOrElse(minScore, () => 0), 0, 100]
  ]
  const wrong = ranges.find(([, value, least, most]) => value < least || value > most)
  return wrong === undefined ? Effect.void : Effect.fail(wrongUsage(`${wrong[0]} takes a whole number from ${wrong[2]} to ${wrong[3]}.`))
}

/** The largest sample that the usual number of requests covers. */
const USUAL_SAMPLE = 20

/** Requests that one more page of the sample takes: itself, its redirect and its Markdown twin. */
const REQUESTS_PER_PAGE = 3

const liveSource = Effect.fnUntraced(function*(flags: AuditFlags): Effect.fn.Return<Source, CliFailure> {
  const resolve = yield* Effect.forEach(flags.resolve, resolveRule)
  const url = yield* targetOf(flags, resolve)
  const canonicalOrigin = yield* canonicalOf(flags)
  const limits = limitsWith({
    gatherMs: flags.timeout * 1_000,
    perHost: flags.concurrency,
    requests: defaultLimits.requests + REQUESTS_PER_PAGE * Math.max(0, flags.sample - USUAL_SAMPLE)
  })
  const { allowHttp, allowPrivate } = flags
  const network = guardedHttp({ resolve, allowPrivate, allowHttp, userAgents: AGENTS })
  const date = DateTime.formatIsoDateUtc(yield* DateTime.now)
  return {
    transport: politely().pipe(Layer.provide(network), Layer.provide(Layer.succeed(FetchLimits, limits))),
    run: { url, date, sampleSize: flags.sample, canonicalOrigin, limits }
  }
})

const targetOf = ({ allowHttp, allowPrivate, url }: AuditFlags, resolve: ReadonlyArray<ResolveRule> = []): Effect.Effect<string, CliFailure> => {
  if (Option.isNone(url)) return Effect.fail(wrongUsage("which site? Give its address, as in: docgauge https://docs.example.com"))
  const target = parseTarget(url.value, { allowHttp, allowPrivate, allowPorts: true, resolve })
  if (Result.isSuccess(target)) return Effect.succeed(target.success)
  const { code, message } = target.failure
  const advice = code === "invalid_base_url" && isNameOfSite(url.value) ? `\nDid you mean https://${url.value}?` : ADVICE[code]
  return Effect.fail(wrongUsage(`${shown(url.value)} cannot be audited: ${message}.${advice}`))
}

/** An address as it was typed, without what nobody should read over a shoulder or in a log. */
const shown = (url: string): string => plainText(url.replace(/\/\/[^/?#]*@/, "//…@"), 200)

/** `docs.example.com/guide`: an address but for its scheme. */
const isNameOfSite = (text: string): boolean => /^[\w-]+(?:\.[\w-]+)+(?:\/[\w./~-]*)?$/.test(text) && URL.canParse(`https://${text}`)

const ADVICE = {
  invalid_base_url: "\nGive the address of the documentation's first page, such as https://docs.example.com",
  http_not_supported: "\nUse its https address, or --allow-http.",
  not_public_address: "\nUse --allow-private to audit a site in your own network, or --resolve to lead a public name to it."
} as const

const resolveRule = (text: string): Effect.Effect<ResolveRule, CliFailure> => {
  const rule = parseResolveRule(text)
  return Result.isSuccess(rule)
    ? Effect.succeed(rule.success)
    : Effect.fail(wrongUsage(`--resolve ${text}: ${rule.failure}. It takes HOST:PORT:ADDRESS[:PORT], as in '*:443:127.0.0.1:8443'.`))
}

const canonicalOf = ({ canonicalOrigin }: AuditFlags): Effect.Effect<string | null, CliFailure> => {
  if (Option.isNone(canonicalOrigin)) return Effect.succeed(null)
  const parsed = URL.parse(canonicalOrigin.value)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.pathname === "/"
    ? Effect.succeed(originOf(parsed.href))
    : Effect.fail(wrongUsage("--canonical-origin takes a scheme and host, as in https://docs.example.com"))
}

const replaySource = Effect.fnUntraced(function*(flags: AuditFlags, path: string): Effect.fn.Return<Source, CliFailure> {
  const { openArchive, replay } = yield* Effect.promise(() => import("../../engine/evidence/Replay.ts"))
  const archive = yield* Effect.mapError(openArchive(path), ({ message }) => wrongUsage(`${path}: ${message}.`))
  const recorded = archive.run === null ? null : runRecordOf(archive.run)
  const given = Option.isNone(flags.url) ? null : yield* targetOf({ ...flags, allowHttp: true, allowPrivate: true })
  const url = given ?? recorded?.url
  if (url === undefined) return yield* wrongUsage(`${path} does not say what was audited. Give the address, too.`)
  if (recorded !== null && plainForm(url) !== plainForm(recorded.url)) {
    return yield* wrongUsage(`${path} is the record of ${shown(recorded.url)}, not of ${shown(url)}. Leave the address out, or give the recorded one.`)
  }
  const date = DateTime.formatIsoDateUtc(yield* DateTime.now)
  return {
    transport: replay(archive),
    run: recorded ?? { url, date, sampleSize: flags.sample, canonicalOrigin: yield* canonicalOf(flags), limits: defaultLimits }
  }
})

/** The goals that a run in CI is held to. */
const holdTo = (report: AuditReport, baseline: AuditReport | null, { maxDrop, minScore }: AuditFlags): Effect.Effect<void, CliFailure> => {
  const least = Option.getOrElse(minScore, () => 0)
  if (report.total_score < least) {
    return Effect.fail(new CliFailure({ code: ExitCode.belowTarget, message: `the score is ${report.total_score}, below --min-score ${least}.` }))
  }
  const drop = baseline === null ? 0 : baseline.total_score - report.total_score
  return baseline !== null && drop > maxDrop
    ? Effect.fail(new CliFailure({ code: ExitCode.belowTarget, message: `the score fell by ${drop}, from ${baseline.total_score} to ${report.total_score}; --max-drop allows ${maxDrop}.` }))
    : Effect.void
}
