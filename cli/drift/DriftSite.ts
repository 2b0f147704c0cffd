import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { dirname, relative, sep } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { FoundSpec, SpecFile } from "../../engine/apispec/ApiSpec.ts"
import { auditLoading } from "../../engine/audit/Audit.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import type { DriftFinding, DriftKind } from "../../engine/drift/Drift.ts"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import { defaultLimits, FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { sourceFileOf } from "../../engine/site/SiteSource.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { NO_COMPARISON } from "../../engine/site/drift/Compared.ts"
import { compareAll, reportedDrift, type SiteDrift, siteDriftTexts } from "../../engine/site/drift/SiteDrift.ts"
import type { Site } from "../../engine/site/Site.ts"
import type { DriftText } from "../../engine/site/texts/Article.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type AuditSource, unpublishedText } from "../audit/AuditSource.ts"
import { printPreviewHint, auditBegins, notAudited, rubricOnce, sourceOf } from "../audit/LocalAudit.ts"
import { fetchingRanges, rangeFault, refuseIgnored } from "../audit/FlagConflicts.ts"
import { loginOf } from "../audit/RequestHeaders.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { isFolder } from "../io/Files.ts"
import { makeProgress } from "../render/Progress.ts"
import { type DriftFlags, kindsOf } from "./DriftFlags.ts"
import { type DriftOutcome, freshFindings, type PageSource, readKnownDrift, withSourceTexts } from "./DriftOutcome.ts"
import { printDrift } from "./PrintDrift.ts"

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

/** Files that the references of one description may lead to, and files that lead to files, as on a site. */
const FILES = 20
const ROUNDS = 5

/** Reads the API description of `--spec`, with the files that its references lead to and that its examples are in, as if it were published at `url`. */
const readGivenSpec = Effect.fnUntraced(function* (
  path: string,
  url: string
): Effect.fn.Return<Pick<FoundSpec, "exchange" | "spec">, CliFailure, FileSystem.FileSystem | ParserPool> {
  const parsing = yield* ParserPool
  const files = yield* FileSystem.FileSystem
  const document = yield* Effect.mapError(specFile(path), () =>
    wrongUsage(`cannot read ${plainText(path, 200)}. Pass the path of an API description, as in: --spec openapi.yaml`)
  )
  const others: Array<SpecFile> = []
  const examples: Array<SpecFile> = []
  const asked = new Set([document.url])
  const folders = yield* Effect.orDie(Effect.forEach([dirname(path), "."], (folder) => files.realPath(folder)))
  for (let round = 0; ; round++) {
    const spec = yield* parsing.spec({ document, others, examples, absent: [], limits: defaultLimits })
    if (spec._tag === "Unparsed")
      return yield* wrongUsage(
        `${plainText(path, 200)} is no API description that we can read: ${plainText(spec.message, 300)}. Pass an OpenAPI file in JSON or YAML, as in: --spec openapi.yaml`
      )
    const askable = (urls: ReadonlyArray<string>): ReadonlyArray<string> =>
      urls.filter((one) => !asked.has(one)).slice(0, FILES + 1 - asked.size)
    const wanted = askable(spec.missingFiles)
    // Examples lead nowhere: they are read when all files that count are there.
    const shown = wanted.length > 0 ? [] : askable(spec.examples.missing)
    if (wanted.length + shown.length === 0 || round === ROUNDS)
      return { spec: { ...spec, url }, exchange: answerOf(document, url) }
    for (const one of [...wanted, ...shown]) {
      asked.add(one)
      const kept = wanted.includes(one) ? others : examples
      kept.push(...(yield* Effect.orElseSucceed(besideFile(one, folders), () => [])))
    }
  }
})

const specFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files.readFile(path)
  const most = defaultLimits.documentBytes
  const file: SpecFile = {
    url: pathToFileURL(path).href,
    mediaType: "",
    bytes: bytes.subarray(0, most),
    cut: bytes.byteLength > most
  }
  return file
})

/** A description may come with a pull request: nothing is read that is neither in its folder nor in the working directory. */
const besideFile = Effect.fnUntraced(function* (url: string, folders: ReadonlyArray<string>) {
  if (!url.startsWith("file:///")) return []
  const files = yield* FileSystem.FileSystem
  const path = yield* Effect.try(() => fileURLToPath(url))
  const real = yield* files.realPath(path)
  const isBeside = folders.some((folder) => relative(folder, real).split(sep)[0] !== "..")
  return isBeside ? [yield* specFile(path)] : []
})

const answerOf = ({ bytes, cut }: SpecFile, url: string): Answer => ({
  _tag: "Answer",
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
  url,
  status: 200,
  headers: [],
  body: bytes,
  cut,
  wireBytes: bytes.byteLength,
  redirects: []
})

/** Places in other files of the description are told from the working directory. */
const withoutFolder = (text: string): string => text.replaceAll(`${pathToFileURL(process.cwd()).href}/`, "")
