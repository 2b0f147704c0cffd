import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import process from "node:process"
import type { FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { auditLoading } from "../../engine/audit/Audit.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { DriftFinding, DriftKind } from "../../engine/drift/Drift.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { sourceFileOf } from "../../engine/page/SourceFile.ts"
import type { ParserPool } from "../../engine/parse/ParserPool.ts"
import { NO_COMPARISON } from "../../engine/site/drift/Compared.ts"
import type { DriftText } from "../../engine/site/texts/Article.ts"
import { compareAll, reportedDrift, type SiteDrift, siteDriftTexts } from "../../engine/site/drift/SiteDrift.ts"
import type { Site } from "../../engine/site/Site.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { auditBegins } from "../audit/AuditClock.ts"
import { type AuditSource, unpublishedText } from "../audit/AuditSource.ts"
import { fetchingRanges, rangeFault, refuseIgnored } from "../audit/FlagConflicts.ts"
import { notAudited, rubricOnce, sourceOf } from "../audit/LocalAudit.ts"
import { printPreviewHint } from "../audit/PreviewHint.ts"
import { loginOf } from "../audit/RequestHeaders.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { isFolder } from "../io/FileKind.ts"
import { makeProgress } from "../render/Progress.ts"
import type { DriftFlags } from "./DriftFlags.ts"
import { kindsOf } from "./DriftKinds.ts"
import type { DriftOutcome, PageSource } from "./DriftOutcome.ts"
import { readGivenSpec, withoutFolder } from "./GivenSpec.ts"
import { freshFindings, readKnownDrift } from "./KnownDrift.ts"
import { printDrift } from "./PrintDrift.ts"
import { withSourceTexts } from "./SourceLines.ts"

/** Audits, compares, prints what is false, and fails if the baseline does not have all of it. */
export const driftAndPrint = Effect.fnUntraced(function* (
  flags: DriftFlags
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem | ParserPool> {
  yield* checkFlags(flags)
  const kinds = yield* kindsOf(flags.only)
  const login = yield* loginOf(flags)
  const known = yield* Option.match(flags.baseline, {
    onNone: () => Effect.succeed([]),
    onSome: readKnownDrift
  })
  const source = yield* sourceOf({ ...flags, record: Option.none(), server: Option.none() }, login, process.env)
  const given = yield* Option.match(flags.spec, {
    onNone: () => Effect.succeed(null),
    onSome: (path) => readGivenSpec(path, source.run.url)
  })
  if (source.notice !== undefined && !flags.quiet) yield* Console.error(`docgauge: ${source.notice}`)
  const { compared, productionOrigin } = yield* auditAndCompare(flags, source, given)
  const { sources, ...rest } = outcomeOf(compared, kinds, source, flags, known)
  const outcome: DriftOutcome = { ...rest, sources: yield* withSourceTexts(sources) }
  yield* printDrift(outcome, flags)
  yield* printPreviewHint(productionOrigin, { from: Option.isSome(flags.replay) ? "archive" : "site" }, flags)
  yield* failIfFalse(outcome)
})

/** What the audited site was compared with, and what came of it. */
interface ComparedSite {
  readonly drift: SiteDrift
  readonly texts: ReadonlyArray<DriftText>
  readonly found: Pick<FoundSpec, "exchange" | "spec"> | null
  readonly unread: string | null
}

const auditAndCompare = Effect.fnUntraced(function* (
  flags: DriftFlags,
  { folder, run: { limits, ...run }, transport }: AuditSource,
  given: ComparedSite["found"]
) {
  const read: Array<ComparedSite> = []
  const inspect = (site: Site) => Effect.map(comparedSite(site, given), (one) => void read.push(one))
  yield* auditBegins(limits.gatherMs / 1_000, false)
  const progress = makeProgress(flags.quiet)
  const rubric = yield* rubricOnce({ rubric: Option.none(), allowPlugins: false })
  const { productionOrigin } = yield* auditLoading(
    { ...run, folder: folder !== undefined, listen: progress.listen, inspect },
    rubric
  ).pipe(
    Effect.catchTag("AuditFailed", (failed) => Effect.fail(notAudited(failed))),
    Effect.provide(transport),
    Effect.provideService(FetchLimits, limits),
    Effect.ensuring(Effect.sync(progress.end))
  )
  const [compared] = read
  return compared === undefined
    ? yield* Effect.die(new Error("the audit ended without a look at its site"))
    : { compared, productionOrigin }
})

const comparedSite = Effect.fnUntraced(function* (
  site: Site,
  given: ComparedSite["found"]
): Effect.fn.Return<ComparedSite> {
  const texts = yield* siteDriftTexts(site)
  if (given !== null) return { drift: compareAll(texts, given), texts, found: given, unread: null }
  const { best, unobtainable } = yield* site.spec
  return { drift: yield* site.drift, texts, found: best, unread: unobtainable?.asked.url ?? null }
})

const outcomeOf = (
  { drift, found, texts, unread }: ComparedSite,
  kinds: ReadonlyArray<DriftKind>,
  { run: { date, url } }: AuditSource,
  { baseline, spec }: DriftFlags,
  known: ReadonlyArray<DriftFinding>
): DriftOutcome => {
  const only = (kind: DriftKind) => (kinds.includes(kind) ? drift[kind] : NO_COMPARISON)
  const shown: SiteDrift = {
    example: only("example"),
    call: only("call"),
    table: only("table"),
    figure: only("figure")
  }
  const report = reportedDrift(shown, Infinity)
  const findings = Option.match(spec, {
    onNone: () => report.findings,
    onSome: (file) => report.findings.map((finding) => inFile(finding, file))
  })
  return {
    url,
    date,
    drift: { ...report, findings },
    unlisted: shown.example.counts.false - shown.example.findings.length,
    fresh: freshFindings(findings, known),
    baseline: Option.getOrNull(baseline),
    description:
      found === null
        ? null
        : {
            place: Option.getOrElse(spec, () => found.spec.url),
            hasOperations: found.spec.contract.operations.length > 0
          },
    unread,
    because: shown.call.because ?? new Map(),
    sources: new Map(texts.map((text) => [text.url, pageSource(text)]))
  }
}

/** A finding names the file of `--spec` as it was given. */
const inFile = ({ description, message, ...finding }: DriftFinding, file: string): DriftFinding => ({
  ...finding,
  message: withoutFolder(message),
  description: description === null ? null : { url: file, pointer: withoutFolder(description.pointer) }
})

const pageSource = ({ page }: DriftText): PageSource => {
  const file = sourceFileOf(page?.sourceLinks ?? [])
  return { ...(file === null ? {} : { file }), isAsWritten: page === null || page.format === "markdown" }
}

const checkFlags = (flags: DriftFlags): Effect.Effect<void, CliFailure> => {
  const folder = Option.getOrNull(flags.url)
  if (Option.isNone(flags.as) && folder !== null && isFolder(folder))
    return Effect.fail(wrongUsage(unpublishedText("docgauge drift", folder)))
  const fault = rangeFault(fetchingRanges(flags))
  if (fault !== null) return Effect.fail(wrongUsage(fault))
  // The formats of an audit are others.
  const { format: _, ...shared } = flags
  return refuseIgnored(shared)
}

const failIfFalse = ({ baseline, fresh }: DriftOutcome): Effect.Effect<void, CliFailure> => {
  if (fresh.size === 0) return Effect.void
  const message =
    baseline === null
      ? `${counted(fresh.size, "finding")}. Correct the page or the description; what has to stay for now can be kept as known (--baseline).`
      : `${counted(fresh.size, "finding")} that ${plainText(baseline, 200)} does not have. Correct the page or the description.`
  return Effect.fail(new CliFailure({ code: ExitCode.belowTarget, message }))
}
