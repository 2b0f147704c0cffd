import * as Arr from "effect/Array"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { fixList, gainText } from "../../engine/audit/FixFirst.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import { scoreInFull } from "../../engine/report/ReportView.ts"
import { siteOf } from "../../engine/evidence/Address.ts"
import { BUILD_PARSER, ParserPool } from "../../engine/parse/ParserPool.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import type { Diagnostic } from "../../engine/rubric/source/SourceText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { localAudit, rubricOnce, printPreviewHint } from "../audit/LocalAudit.ts"
import { type FurtherReport, furtherReports, printReport, writeFurther } from "../audit/PrintReport.ts"
import { changeNote, gateFailure, judgeGoals, waiversNote } from "../gate/Gates.ts"
import type { AnnotationRoom } from "../render/report/GithubAnnotations.ts"
import {
  pageChecks,
  type AuditedSite,
  besideFile,
  type ConfiguredSite,
  configuredSites,
  type ReadySite,
  readySite
} from "./ConfiguredSite.ts"
import { CliFailure, ExitCode, isGateFailure } from "../io/CliFailure.ts"
import { environmentProxies } from "../io/Connections.ts"
import type { Config } from "./Config.ts"
import { configConflicts, filesOf, refuseFlags } from "./ConfigConflicts.ts"
import { type ConfigFile, readConfig, refuse, type RubricNames, unknownNames } from "./ReadConfig.ts"

/**
 * Audits at once, of different registrable domains. They mostly wait for their sites: of twenty that answer after 50 ms, six at once
 * take 2.7 s and all at once 1.7. Twenty sites of the corpus at once need 4 % more memory than six. All run in this thread: a
 * second one loads and compiles the code again, which takes a second of processor time and makes those twenty 0.3 s slower on two cores.
 */
const AT_ONCE = 20

type Finished = Result.Result<AuditedSite, { readonly site: ConfiguredSite; readonly failure: CliFailure }>

/** Audits the sites of a configuration file, writes its formats, prints one summary and fails if a goal is missed. */
export const auditConfigured = Effect.fnUntraced(function* (
  flags: AuditFlags,
  file: string
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const read = yield* readConfig(file)
  const { config } = read
  const rubric = yield* rubricOnce({
    rubric: Option.map(Option.fromUndefinedOr(config.rubric), (path) => besideFile(file, path)),
    allowPlugins: flags.allowPlugins
  })
  // What is wrong with a rubric, or with names that it lacks, is told before anything is fetched.
  const names = config.rubric !== undefined || hasNames(config) ? unknownNames(read, namesOf(yield* rubric)) : []
  const sites = configuredSites(config, file, flags)
  const further = yield* furtherReports(flags)
  yield* refuseFlags(config, flags)
  const finished = yield* auditPolitely(yield* readySites(read, names, sites, further), rubric)
  yield* Effect.forEach(finished, (result) =>
    Result.isSuccess(result) ? writeFormats(result.success, config, file, further) : Effect.void
  )
  yield* print(finished, flags)
  // Nothing may be printed to stdout while an audit runs: by the first byte, the main thread knows that all have ended.
  yield* Effect.forEach(finished, (result) =>
    Result.isSuccess(result)
      ? printPreviewHint(result.success.productionOrigin, { from: "config", url: result.success.site.url }, flags)
      : Effect.void
  )
  if (!flags.quiet) yield* printGateNotes(finished)
  yield* failIfMissed(finished)
})

/** Refuses every mistake in the file's keys, names and values, so that nothing is audited if there is one. */
const readySites = Effect.fnUntraced(function* (
  read: ConfigFile,
  names: ReadonlyArray<Diagnostic>,
  sites: ReadonlyArray<ConfiguredSite>,
  further: ReadonlyArray<FurtherReport>
): Effect.fn.Return<ReadonlyArray<ReadySite>, CliFailure, FileSystem.FileSystem> {
  // A conflict may be the consequence of a misspelt key.
  const conflicts = read.unknownKeys.length > 0 ? [] : configConflicts(read, sites, further)
  if (conflicts.length > 0) return yield* refuse(read.source, [...names, ...conflicts])
  if (sites.some(({ flags }) => Option.isNone(flags.as))) yield* environmentProxies()
  const [ready, faults] = Arr.partition(
    yield* Effect.forEach(sites, (site, index) => readySite(site, index, read)),
    (result) => result
  )
  const all = [...read.unknownKeys, ...names, ...faults.flat()]
  return all.length > 0 ? yield* refuse(read.source, all) : ready
})

const hasNames = (config: Config): boolean =>
  [config, ...config.sites].some(
    ({ goals, waivers }) => goals?.criteria !== undefined || goals?.categories !== undefined || waivers !== undefined
  )

const namesOf = ({ rubric: { categories, experimental = [] } }: LoadedRubric<BoundCriterion>): RubricNames => ({
  criteria: [...categories.flatMap(({ criteria }) => criteria), ...experimental].map(({ id }) => id),
  categories: categories.map(({ id }) => id)
})

/** Sites of one registrable domain are audited one after the other, so that no host gets more requests at once than of one audit. */
const auditPolitely = Effect.fnUntraced(function* (
  sites: ReadonlyArray<ReadySite>,
  rubric: AuditJob["rubric"]
): Effect.fn.Return<ReadonlyArray<Finished>, never, FileSystem.FileSystem> {
  const several = sites.length > 1
  // One audit alone prints its own.
  const printNotice = makeNotices(!several || sites.some(({ site: { flags } }) => flags.quiet))
  const jobs = sites.map((ready): AuditJob => ({ ...ready, several, printNotice, rubric }))
  const domains = [
    ...Map.groupBy(jobs, ({ site: { url } }) =>
      siteOf(URL.parse(url)?.hostname ?? URL.parse(`https://${url}`)?.hostname ?? url)
    ).values()
  ]
  const results = yield* Effect.forEach(
    domains,
    (group) => Effect.forEach(group, (job) => Effect.map(auditOne(job), (result) => [job.site, result] as const)),
    { concurrency: AT_ONCE }
  ).pipe(Effect.provide(ParserPool.layerWith({ thread: BUILD_PARSER })))
  const bySite = new Map(results.flat())
  return sites.flatMap(({ site }) => bySite.get(site) ?? [])
})

/** Prints a notice that several audits have once. */
const makeNotices = (quiet: boolean) => {
  const printed = new Set<string>()
  return (notice: string | null): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (quiet || notice === null || printed.has(notice)) return Effect.void
      printed.add(notice)
      return Console.error(`docgauge: ${notice}`)
    })
}

/** One of the audits of a configuration file. */
interface AuditJob extends ReadySite {
  readonly several: boolean
  readonly printNotice: (notice: string | null) => Effect.Effect<void>
  readonly rubric: Effect.Effect<LoadedRubric<BoundCriterion>, CliFailure>
}

const auditOne = Effect.fnUntraced(function* ({
  baseline,
  printNotice,
  rubric,
  several,
  site,
  source
}: AuditJob): Effect.fn.Return<Finished, never, FileSystem.FileSystem | ParserPool> {
  // The progress lines of several audits would overwrite each other.
  const flags = several ? { ...site.flags, quiet: true } : site.flags
  return yield* localAudit(flags, { login: site.login, namedPages: site.pages, rubric, source }).pipe(
    Effect.tap(({ notice }) => printNotice(notice)),
    Effect.map(({ named, productionOrigin, report }): Finished => {
      const gate = judgeGoals(report, baseline, site.goals, site.waivers)
      return Result.succeed({
        site,
        report,
        productionOrigin,
        gate: { ...gate, checks: [...gate.checks, ...pageChecks(named)] }
      })
    }),
    Effect.catch((failure): Effect.Effect<Finished> => Effect.succeed(Result.fail({ site, failure })))
  )
})

/** The formats of the configuration, and those of `--write`. */
const writeFormats = (
  { gate, report, site }: AuditedSite,
  config: Config,
  file: string,
  further: ReadonlyArray<FurtherReport>
) => writeFurther(report, gate, filesOf(config, file, site.url, further), site.flags)

const print = Effect.fnUntraced(function* (finished: ReadonlyArray<Finished>, flags: AuditFlags) {
  const [first] = finished
  if (finished.length === 1 && first !== undefined)
    return Result.isSuccess(first)
      ? yield* printReport(first.success.report, first.success.gate, {
          ...first.success.site.flags,
          output: Option.none()
        })
      : undefined
  const inFull = flags.format === "github" || flags.verbose > 0
  const audited = finished.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
  const rooms = flags.format === "github" ? yield* annotationRoomsOf(audited) : []
  for (const [index, result] of finished.entries()) {
    if (index > 0 && flags.format === "text" && flags.verbose > 0) yield* Console.log("")
    if (Result.isFailure(result))
      yield* flags.format === "github" ? Effect.void : Console.log(`${result.failure.site.url}  not audited`)
    else if (inFull)
      yield* printReport(result.success.report, result.success.gate, {
        ...flags,
        output: Option.none(),
        ...roomAt(rooms, audited.indexOf(result.success))
      })
    else yield* Console.log(auditedSiteText(result.success))
  }
  if (flags.format === "text")
    yield* Console.log(summaryLine(finished.map((result) => (Result.isSuccess(result) ? result.success : null))))
})

/** Of ten annotations of a kind, those of each site. */
const annotationRoomsOf = (audited: ReadonlyArray<AuditedSite>) =>
  Effect.map(
    Effect.promise(() => import("../render/report/GithubAnnotations.ts")),
    ({ annotationRooms }) => annotationRooms(audited)
  )

const roomAt = (rooms: ReadonlyArray<AnnotationRoom>, place: number): { readonly room?: AnnotationRoom } => {
  const room = rooms[place]
  return room === undefined ? {} : { room }
}

/** Lost points and another rubric since the baselines, where no missed goal says so, and which waivers forgive points where the goals are met. */
const printGateNotes = Effect.fnUntraced(function* (finished: ReadonlyArray<Finished>) {
  for (const { gate, report, site } of finished.flatMap((result) =>
    Result.isSuccess(result) ? [result.success] : []
  )) {
    for (const note of [changeNote(gate), waiversNote(gate, report)]) {
      if (note !== null) yield* Console.error(`docgauge: ${finished.length > 1 ? `${site.url}: ` : ""}${note}`)
    }
  }
})

/** A site that could not be audited outweighs a missed goal, and that one a report that is not reliable. */
const failIfMissed = (finished: ReadonlyArray<Finished>): Effect.Effect<void, CliFailure> => {
  const several = finished.length > 1
  const failures = finished.flatMap((result): ReadonlyArray<CliFailure> => {
    if (Result.isFailure(result)) return [named(result.failure.failure, result.failure.site, several)]
    const { gate, site } = result.success
    const failure = gateFailure(gate)
    return failure === null
      ? []
      : [named(new CliFailure({ code: failure.code, message: failure.messages.join("\ndocgauge: ") }), site, several)]
  })
  const worst = SEVERITY.find((code) => failures.some((failure) => failure.code === code))
  const textOf = (some: ReadonlyArray<CliFailure>): string => some.map(({ message }) => message).join("\ndocgauge: ")
  return worst === undefined
    ? Effect.void
    : Effect.fail(
        new CliFailure({
          code: worst,
          message: textOf(failures),
          annotation: textOf(failures.filter((failure) => !isGateFailure(failure)))
        })
      )
}

const SEVERITY = [
  ExitCode.ownFault,
  ExitCode.wrongUsage,
  ExitCode.notAudited,
  ExitCode.belowTarget,
  ExitCode.notReliable
] as const

const named = ({ code, message }: CliFailure, { url }: ConfiguredSite, several: boolean): CliFailure =>
  several
    ? new CliFailure({ code, message: `${url}: ${message.replaceAll("\ndocgauge: ", `\ndocgauge: ${url}: `)}` })
    : new CliFailure({ code, message })

/** Fixes that are named for each of several sites. */
const FIXES = 3

/** A site in the summary of several: its score, its goals, and what to fix first. */
const auditedSiteText = ({ gate, report, site }: AuditedSite): string => {
  const fixes = fixList(report)
    .fixes.slice(0, FIXES)
    .map((fix) => `${fix.criterion.id} (${gainText(fix)})`)
  return [
    plainText(site.url, 200),
    `  ${scoreInFull(report)}; ${goalsText({ gate })}`,
    ...(fixes.length === 0 ? [] : [`  Fix first: ${fixes.join(", ")}`])
  ].join("\n")
}

const goalsText = ({ gate }: Pick<AuditedSite, "gate">): string => {
  if (gate.unreliable !== null) return "goals not judged"
  const { checks } = gate
  if (checks.length === 0) return "no goals"
  const parts = (
    [
      ["missed", "missed"],
      ["unchecked", "not known"],
      ["skipped", "not judged"]
    ] as const
  ).flatMap(([outcome, word]) => {
    const count = checks.filter((check) => check.outcome === outcome).length
    return count === 0 ? [] : [`${count} of ${counted(checks.length, "goal")} ${word}`]
  })
  return parts.length === 0 ? `${counted(checks.length, "goal")} met` : parts.join(", ")
}

/** The last line of the summary; `null`: a site that could not be audited. */
const summaryLine = (sites: ReadonlyArray<AuditedSite | null>): string => {
  const audited = sites.flatMap((site) => site ?? [])
  const missing = sites.length - audited.length
  const failing = audited.filter(({ gate }) => gateFailure(gate) !== null).length
  return `\n${counted(sites.length, "site")}: ${audited.length - failing} meet their goals, ${failing} do not${missing === 0 ? "" : `, ${missing} could not be audited`}.`
}
