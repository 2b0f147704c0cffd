import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import process from "node:process"
import { parentPort } from "node:worker_threads"
import { NAMED_AGENTS } from "../../engine/audit/agents/NamedAgents.ts"
import { auditLoading } from "../../engine/audit/Audit.ts"
import { type AuditFailed, type AuditOutcome, type AuditRequest, runInfoOf } from "../../engine/audit/AuditRequest.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import type { Recorded } from "../../engine/evidence/archive/Archive.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import type { Environment } from "../../engine/evidence/http/Proxies.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { ParserPool } from "../../engine/parse/ParserPool.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import type { NamedPages } from "../../engine/site/sample/Sample.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import type { AuditBegins } from "../io/CommandChannel.ts"
import { makeProgress } from "../render/Progress.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import {
  type AuditSource,
  type BeforeAudit,
  folderSource,
  liveSource,
  replaySource,
  type SourceFlags
} from "./AuditSource.ts"
import type { PreviewLogin } from "./RequestHeaders.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { writeOut } from "../io/Stdout.ts"

const AGENTS = userAgents(ENGINE_VERSION, null)

/** A report, and whether its archive was written: failing to write the archive must not lose the report. */
export interface LocalReport {
  readonly report: AuditReport
  readonly recorded: Result.Result<void, CliFailure>
  /** The origin that nearly all links name, if it is not the audited one: the site may be a preview of it. */
  readonly productionOrigin: string | null
  /** What the user should know of how it was audited, printed before unless `quiet`; `null`: nothing. */
  readonly notice: string | null
  /** What the `pages` of a configuration led to. */
  readonly named: ReadonlyArray<NamedPages>
}

/** What an audit is given besides its flags. */
interface LocalAuditOptions {
  /** Nothing is called if missing. */
  readonly before?: BeforeAudit
  readonly login: PreviewLogin | null
  /** Paths and globs of pages that are always in the sample; none if missing. */
  readonly namedPages?: ReadonlyArray<string>
  /** Loads it once for several audits; if missing, that of the flags is loaded. */
  readonly rubric?: Effect.Effect<LoadedRubric<BoundCriterion>, CliFailure>
  /** Where the evidence comes from; if missing, from where the flags say. */
  readonly source?: AuditSource
}

/** Audits on this machine, over the network or from an archive. */
export const localAudit = Effect.fnUntraced(function* (
  flags: AuditFlags,
  { before = () => Effect.void, login, namedPages = [], rubric: shared, source }: LocalAuditOptions
): Effect.fn.Return<LocalReport, CliFailure, FileSystem.FileSystem | ParserPool> {
  const {
    folder,
    notice,
    run: { askedAgents = [], limits, ...planned },
    transport
  } = source ?? (yield* sourceOf(flags, login, process.env))
  const run = { ...planned, asAgents: flags.asAgents ? NAMED_AGENTS.map(({ id }) => id) : askedAgents }
  yield* before(run.url, run.canonicalOrigin)
  if (notice !== undefined && !flags.quiet) yield* Console.error(`docgauge: ${notice}`)
  const rubric = shared ?? (yield* rubricOnce(flags))
  // Errors in a given rubric are reported before anything is fetched; an archive names its rubric even if the audit fails.
  if (Option.isSome(flags.rubric) || Option.isSome(flags.record)) yield* rubric
  yield* auditBegins(limits.gatherMs / 1_000, flags.allowPlugins)
  const progress = makeProgress(flags.quiet)
  const audited = yield* auditLoading(
    { ...run, folder: folder !== undefined, namedPages, listen: progress.listen },
    rubric
  ).pipe(
    Effect.map((outcome): AuditOutcome | AuditFailed => outcome),
    Effect.catchTag("AuditFailed", (failed) => Effect.succeed(failed)),
    Effect.provide(transport),
    Effect.provideService(FetchLimits, limits),
    Effect.ensuring(Effect.sync(progress.end))
  )
  const writing = Option.match(flags.record, {
    onNone: () => Effect.void,
    onSome: (path) => Effect.flatMap(rubric, (rubric) => record(path, { ...run, rubric }, limits, audited.journal))
  })
  const recorded = yield* Effect.result(writing)
  if (!("report" in audited)) return yield* notAudited(audited)
  const { named, productionOrigin, report } = audited
  return { report, recorded, named, notice: notice ?? null, productionOrigin }
})

/** Where the evidence comes from; `environment` names the proxies; `beside`: requests that may be sent beside those of one audit. */
export const sourceOf = (
  flags: SourceFlags,
  login: PreviewLogin | null,
  environment: Environment,
  beside = 0
): Effect.Effect<AuditSource, CliFailure> => {
  if (Option.isSome(flags.as)) return folderSource(flags, flags.as.value)
  return Option.isSome(flags.replay)
    ? replaySource(flags, flags.replay.value)
    : liveSource(flags, AGENTS, login, environment, beside)
}

/** Rubric and plugins, loaded when first asked for: while the first requests are in flight, which saves 70 ms per run. */
export const rubricOnce = Effect.fnUntraced(function* ({
  allowPlugins,
  rubric
}: Pick<AuditFlags, "allowPlugins" | "rubric">): Effect.fn.Return<
  Effect.Effect<LoadedRubric<BoundCriterion>, CliFailure>,
  never,
  FileSystem.FileSystem
> {
  const loading = Effect.flatMap(
    Effect.promise(() => import("../io/Rubrics.ts")),
    ({ readRubric }) => readRubric(rubric, allowPlugins)
  )
  return yield* Effect.cached(Effect.provide(loading, yield* Effect.context<FileSystem.FileSystem>()))
})

export const notAudited = ({ advice, message }: AuditFailed): CliFailure =>
  new CliFailure({ code: ExitCode.notAudited, message: `${message}\n${advice}` })

/** Writes the archive, even if the audit failed: its replay fails in the same way. */
const record = Effect.fnUntraced(function* (
  path: string,
  request: AuditRequest,
  limits: FetchLimits,
  journal: ReadonlyArray<Recorded>
) {
  const { writeArchive } = yield* Effect.promise(() => import("../../engine/evidence/archive/Recording.ts"))
  yield* Effect.mapError(writeArchive(path, runInfoOf(request, limits, AGENTS), journal), ({ message }) =>
    wrongUsage(`${message} (${path}).`)
  )
})

/**
 * Tells the main thread that an audit begins, so that it can end an audit that is still busy long after its `--timeout`. External plugins
 * may take their time in each of `audits`.
 */
export const auditBegins = Effect.fnUntraced(function* (
  timeoutSeconds: number,
  allowPlugins: boolean,
  audits = 1
): Effect.fn.Return<void, CliFailure> {
  const message: AuditBegins = {
    _tag: "AuditBegins",
    timeoutSeconds,
    pluginSeconds: allowPlugins ? audits * (yield* pluginLimit) : 0
  }
  parentPort?.postMessage(message)
})

const pluginLimit = Effect.gen(function* () {
  const { longestPluginSeconds } = yield* Effect.promise(() => import("../../engine/external/ExternalLimits.ts"))
  return yield* Effect.mapError(longestPluginSeconds, ({ message }) => wrongUsage(message))
})

/** What was audited: a site or folder, an archive, which refuses the flag, or a site of `docgauge.yaml`, where a key says the same. */
type Previewed = { readonly from: "site" | "archive" } | { readonly from: "config"; readonly url: string }

/** Says how to have the links of a preview count, if they name another origin. */
export const printPreviewHint = (
  origin: string | null,
  previewed: Previewed,
  { format, quiet }: { readonly format: string; readonly quiet: boolean }
): Effect.Effect<void> => {
  if (origin === null) return Effect.void
  const hint = hintText(plainText(origin, 200), previewed)
  // The action is quiet, and a preview without its origin loses points that it has: annotations always tell.
  if (format === "github")
    return Effect.flatMap(
      Effect.promise(() => import("../render/report/GithubAnnotations.ts")),
      ({ notice }) => writeOut(notice(hint), format)
    )
  return quiet ? Effect.void : Console.error(`docgauge: ${hint}`)
}

const hintText = (origin: string, previewed: Previewed): string => {
  const seen = `the site's llms.txt, sitemap or canonical URLs point to ${origin}. If this is a preview of that site,`
  if (previewed.from === "config")
    return `${previewed.url}: ${seen} add canonical_origin: ${origin} to it in docgauge.yaml.`
  return previewed.from === "archive"
    ? `${seen} audit it again, not from the archive, with --canonical-origin ${origin}`
    : `${seen} add --canonical-origin ${origin}`
}
