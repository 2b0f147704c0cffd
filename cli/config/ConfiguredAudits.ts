import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { BoundCriterion } from "../../engine/criterion/Registry.ts"
import { siteOf } from "../../engine/evidence/Address.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { readBaseline } from "../audit/BaselineFile.ts"
import { localAudit, rubricOnce } from "../audit/LocalAudit.ts"
import { type FurtherReport, furtherReports, writeFurther } from "../audit/FurtherReports.ts"
import { printPreviewHint } from "../audit/PreviewHint.ts"
import { printReport } from "../audit/PrintReport.ts"
import { siteHeaders } from "../audit/RequestHeaders.ts"
import { requireSameSite } from "../gate/Baseline.ts"
import { gateFailure, judgeGoals } from "../gate/Gates.ts"
import { pageChecks } from "../gate/PageChecks.ts"
import { CliFailure, ExitCode, isGateFailure } from "../io/CliFailure.ts"
import { filesOf, refuseConflicts } from "./ConfigConflicts.ts"
import type { Config } from "./Config.ts"
import { type AuditedSite, besideFile, type ConfiguredSite, configuredSites } from "./ConfiguredSite.ts"
import { checkNames, readConfig, type RubricNames } from "./ReadConfig.ts"
import { auditedSiteText, summaryLine } from "./Summary.ts"

/**
 * Audits at once, of different registrable domains. They mostly wait for their sites: of twenty that answer after 50 ms, six at once
 * take 2.7 s and all at once 1.7. Twenty sites of the corpus at once need 4 % more memory than six. All run in this thread: a
 * second one loads and compiles the code again, which takes a second of processor time and makes those twenty 0.3 s slower on two cores.
 */
const AT_ONCE = 20

/** Logins are read before anything is audited, so that a variable that is not set is told at once. */
const ANY_URL = "https://docs.example.com"

type Finished = Result.Result<AuditedSite, { readonly site: ConfiguredSite; readonly failure: CliFailure }>

/** Audits the sites of a configuration file, writes its formats, prints one summary and fails if a goal is missed. */
export const auditConfigured = Effect.fnUntraced(function*(flags: AuditFlags, file: string): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const read = yield* readConfig(file)
  const { config } = read
  const rubric = yield* rubricOnce({ rubric: Option.map(Option.fromUndefinedOr(config.rubric), (path) => besideFile(file, path)), allowPlugins: flags.allowPlugins })
  // What is wrong with a rubric, or with names that it lacks, is told before anything is fetched.
  if (config.rubric !== undefined || hasNames(config)) yield* checkNames(read, namesOf(yield* rubric))
  const sites = configuredSites(config, file, flags)
  const further = yield* furtherReports(flags)
  yield* refuseConflicts(config, file, flags, sites, further)
  yield* Effect.forEach(sites, ({ login }) => login === null ? Effect.void : siteHeaders(ANY_URL, login))
  const baselines = yield* Effect.forEach(sites, ({ baseline, flags }) => baseline === null ? Effect.succeed(null) : readBaseline(baseline, flags))
  const finished = yield* auditPolitely(sites, baselines, rubric)
  yield* Effect.forEach(finished, (result) => Result.isSuccess(result) ? writeFormats(result.success, config, file, further) : Effect.void)
  yield* print(finished, flags)
  yield* failIfMissed(finished)
})

/** Whether goals or waivers name criteria or categories. */
const hasNames = (config: Config): boolean =>
  [config, ...config.sites].some(({ goals, waivers }) => goals?.criteria !== undefined || goals?.categories !== undefined || waivers !== undefined)

const namesOf = ({ rubric: { categories, experimental = [] } }: LoadedRubric<BoundCriterion>): RubricNames => ({
  criteria: [...categories.flatMap(({ criteria }) => criteria), ...experimental].map(({ id }) => id),
  categories: categories.map(({ id }) => id)
})

/** Sites of one registrable domain are audited one after the other, so that no host gets more requests at once than of one audit. */
const auditPolitely = Effect.fnUntraced(function*(
  sites: ReadonlyArray<ConfiguredSite>,
  baselines: ReadonlyArray<AuditReport | null>,
  rubric: AuditJob["rubric"]
): Effect.fn.Return<ReadonlyArray<Finished>, never, FileSystem.FileSystem> {
  const several = sites.length > 1
  // One audit alone prints its own.
  const printNotice = makeNotices(!several || sites.some(({ flags }) => flags.quiet))
  const jobs = sites.map((site, index): AuditJob => ({ site, baseline: baselines[index] ?? null, several, printNotice, rubric }))
  const domains = [...Map.groupBy(jobs, ({ site: { url } }) => siteOf(URL.parse(url)?.hostname ?? URL.parse(`https://${url}`)?.hostname ?? url)).values()]
  const results = yield* Effect.forEach(domains, (group) => Effect.forEach(group, (job) => Effect.map(auditOne(job), (result) => [job.site, result] as const)), { concurrency: AT_ONCE }).pipe(
    Effect.provide(ParserPool.layer)
  )
  const bySite = new Map(results.flat())
  return sites.flatMap((site) => bySite.get(site) ?? [])
})

/** Prints a notice that several audits have once. */
const makeNotices = (quiet: boolean) => {
  const printed = new Set<string>()
  return (notice: string | null): Effect.Effect<void> => Effect.suspend(() => {
    if (quiet || notice === null || printed.has(notice)) return Effect.void
    printed.add(notice)
    return Console.error(`docgauge: ${notice}`)
  })
}

/** One of the audits of a configuration file. */
interface AuditJob {
  readonly site: ConfiguredSite
  readonly baseline: AuditReport | null
  readonly several: boolean
  readonly printNotice: (notice: string | null) => Effect.Effect<void>
  readonly rubric: Effect.Effect<LoadedRubric<BoundCriterion>, CliFailure>
}

const auditOne = Effect.fnUntraced(function*({ baseline, printNotice, rubric, several, site }: AuditJob): Effect.fn.Return<Finished, never, FileSystem.FileSystem | ParserPool> {
  const before = (url: string, origin: string | null) => baseline === null ? Effect.void : requireSameSite(url, origin, baseline)
  // The progress lines of several audits would overwrite each other.
  const flags = several ? { ...site.flags, quiet: true } : site.flags
  return yield* localAudit(flags, { before, login: site.login, namedPages: site.pages, rubric }).pipe(
    Effect.tap(({ notice }) => printNotice(notice)),
    Effect.tap(({ productionOrigin }) => printPreviewHint(productionOrigin, { from: "config", url: site.url }, site.flags)),
    Effect.map(({ named, report }): Finished => {
      const gate = judgeGoals(report, baseline, site.goals, site.waivers)
      return Result.succeed({ site, report, gate: { ...gate, checks: [...gate.checks, ...pageChecks(named)] } })
    }),
    Effect.catch((failure): Effect.Effect<Finished> => Effect.succeed(Result.fail({ site, failure })))
  )
})

/** The formats of the configuration, and those of `--write`. */
const writeFormats = ({ gate, report, site }: AuditedSite, config: Config, file: string, further: ReadonlyArray<FurtherReport>) =>
  writeFurther(report, gate, filesOf(config, file, site.url, further), site.flags)

const print = Effect.fnUntraced(function*(finished: ReadonlyArray<Finished>, flags: AuditFlags) {
  const [first] = finished
  if (finished.length === 1 && first !== undefined) return Result.isSuccess(first) ? yield* printReport(first.success.report, first.success.gate, { ...first.success.site.flags, output: Option.none() }) : undefined
  for (const result of finished) {
    if (flags.format !== "github") yield* Console.log(Result.isSuccess(result) ? auditedSiteText(result.success) : `${result.failure.site.url}  not audited`)
    else if (Result.isSuccess(result)) yield* printReport(result.success.report, result.success.gate, { ...flags, output: Option.none(), amongOthers: true })
  }
  if (flags.format === "text") yield* Console.log(summaryLine(finished.map((result) => Result.isSuccess(result) ? result.success : null)))
})

/** A site that could not be audited outweighs a missed goal, and that one a report that is not reliable. */
const failIfMissed = (finished: ReadonlyArray<Finished>): Effect.Effect<void, CliFailure> => {
  const several = finished.length > 1
  const failures = finished.flatMap((result): ReadonlyArray<CliFailure> => {
    if (Result.isFailure(result)) return [named(result.failure.failure, result.failure.site, several)]
    const { gate, site } = result.success
    const failure = gateFailure(gate)
    return failure === null ? [] : [named(new CliFailure({ code: failure.code, message: failure.messages.join("\ndocgauge: ") }), site, several)]
  })
  const worst = SEVERITY.find((code) => failures.some((failure) => failure.code === code))
  const textOf = (some: ReadonlyArray<CliFailure>): string => some.map(({ message }) => message).join("\ndocgauge: ")
  return worst === undefined ? Effect.void
    : Effect.fail(new CliFailure({ code: worst, message: textOf(failures), annotation: textOf(failures.filter((failure) => !isGateFailure(failure))) }))
}

const SEVERITY = [ExitCode.ownFault, ExitCode.wrongUsage, ExitCode.notAudited, ExitCode.belowTarget, ExitCode.notReliable] as const

const named = ({ code, message }: CliFailure, { url }: ConfiguredSite, several: boolean): CliFailure =>
  several ? new CliFailure({ code, message: `${url}: ${message.replaceAll("\ndocgauge: ", `\ndocgauge: ${url}: `)}` }) : new CliFailure({ code, message })
