/** `docgauge`: audits in a program, with promises. Its types need no other package. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import process from "node:process"
import { auditLoading } from "../../engine/audit/Audit.ts"
import type { AuditEvent, AuditFailed } from "../../engine/audit/AuditRequest.ts"
import { AuditReport as Decoded } from "../../engine/audit/Report.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { SourceFlags } from "../audit/AuditSource.ts"
import { formattedReport } from "../audit/PrintReport.ts"
import { reportFormats } from "../audit/ReportFormats.ts"
import { judgeGoals, NO_GOALS } from "../gate/Gates.ts"
import { rangeFault } from "../audit/FlagConflicts.ts"
import { sourceOf } from "../audit/LocalAudit.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readRubric } from "../io/Rubrics.ts"
import type { AuditReport, RenderFormat } from "./Report.ts"

export type {
  AuditReport,
  CriterionResult,
  CriterionStatus,
  EvidenceItem,
  Finding,
  Remedy,
  RenderFormat
} from "./Report.ts"

/** How to audit; all of it is optional. */
export interface AuditOptions {
  /** A folder with the static build of the site, which is audited without a network. */
  readonly folder?: string
  /** The path of another rubric. */
  readonly rubric?: string
  /** Load plugins that the rubric names by path or package: they are code that runs in this process. */
  readonly allowPlugins?: boolean
  /** Pages to read, 1 to 200; 20 by default. */
  readonly sample?: number
  /** Requests at once to a host, 1 to 6; 6 by default. */
  readonly concurrency?: number
  /** Time for fetching, 1 to 3,600; 100 by default. */
  readonly timeoutSeconds?: number
  /** Of a preview: the production origin that its links point to. */
  readonly canonicalOrigin?: string
  /** Headers for the origin of the URL alone, such as `authorization`. They are in no report. */
  readonly headers?: Readonly<Record<string, string>>
  /** Connect to an address for a name, as `curl --resolve`: `docs.example.com:443:127.0.0.1:8443`. */
  readonly resolve?: ReadonlyArray<string>
  readonly allowPrivate?: boolean
  readonly allowHttp?: boolean
  /** Send requests through the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name. They look names up, so only names are checked. */
  readonly environmentProxies?: boolean
  /** Ends the audit; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called as the audit goes on. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** How far an audit is. */
export interface AuditProgress {
  /** Responses so far. */
  readonly responses: number
  /** Criteria that were measured, and all criteria; 0 until the first was. */
  readonly measured: number
  readonly criteria: number
}

/**
 * Audits a documentation site in this process and resolves to its report. Rejects with an `AuditError` if there is no report, and
 * with the reason of `signal` if that aborts.
 */
export const audit = async (url: string | URL, options: AuditOptions = {}): Promise<AuditReport> => {
  const fault = argumentsFault(url, options)
  if (fault !== null) throw new AuditError("usage", fault)
  const { signal } = options
  signal?.throwIfAborted()
  const settled = Effect.match(auditing(String(url), options), {
    onFailure: (error): AuditReport | AuditError => error,
    onSuccess: (report): AuditReport | AuditError => report
  })
  try {
    const result = await Effect.runPromise(settled, signal === undefined ? {} : { signal })
    if (!(result instanceof AuditError)) return result
    // Its stack then begins in the program: Node prints the first line of code that an uncaught error names, and ours is one of 5 KB.
    Error.captureStackTrace(result, audit)
    throw result
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

const auditing = (url: string, options: AuditOptions): Effect.Effect<Decoded, AuditError> =>
  auditSite(url, options).pipe(
    Effect.provide(ParserPool.layer),
    Effect.provide(NodeServices.layer),
    Effect.mapError((error) =>
      error._tag === "AuditFailed"
        ? new AuditError("not_audited", forPrograms(`${error.message} ${error.advice}`))
        : new AuditError(error.code === 3 ? "not_audited" : "usage", forPrograms(error.message))
    )
  )

/** A message of the command line with options in the place of its flags: `allowHttp` for `--allow-http`. */
const forPrograms = (message: string): string =>
  message
    .replace(" docgauge --help lists the commands.", "")
    .replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) => {
      const option = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return Object.hasOwn(OPTIONS, option) ? `the option ${option}` : flag
    })

const auditSite = Effect.fnUntraced(function* (
  url: string,
  options: AuditOptions
): Effect.fn.Return<Decoded, CliFailure | AuditFailed, FileSystem.FileSystem | ParserPool> {
  const fault =
    optionsFault(options) ??
    rangeFault([
      ["sample", options.sample, 1, 200],
      ["concurrency", options.concurrency, 1, 6],
      ["timeoutSeconds", options.timeoutSeconds, 1, 3_600]
    ])
  if (fault !== null) return yield* wrongUsage(fault)
  const headers = Object.entries(options.headers ?? {})
  const login = headers.length === 0 ? null : { headers, basicAuth: null, literal: true }
  const {
    folder,
    run: { limits, ...run },
    transport
  } = yield* sourceOf(flagsOf(url, options), login, options.environmentProxies === true ? process.env : {})
  const rubric = yield* Effect.cached(
    Effect.provide(
      readRubric(Option.fromUndefinedOr(options.rubric), options.allowPlugins),
      yield* Effect.context<FileSystem.FileSystem>()
    )
  )
  if (options.rubric !== undefined) yield* rubric
  const { report } = yield* auditLoading(
    { ...run, folder: folder !== undefined, listen: listenerOf(options.onProgress) },
    rubric
  ).pipe(Effect.provide(transport), Effect.provideService(FetchLimits, limits))
  return report
})

/** Programs in JavaScript have no types to tell them. */
const OPTIONS: Readonly<Record<keyof AuditOptions, "always" | "without folder">> = {
  folder: "always",
  rubric: "always",
  allowPlugins: "always",
  sample: "always",
  concurrency: "without folder",
  timeoutSeconds: "always",
  canonicalOrigin: "always",
  headers: "without folder",
  resolve: "without folder",
  allowPrivate: "without folder",
  allowHttp: "without folder",
  environmentProxies: "without folder",
  signal: "always",
  onProgress: "always"
}

/** What is wrong with the kinds of the arguments, for programs in JavaScript; `null` if nothing. */
const argumentsFault = (url: unknown, options: unknown): string | null => {
  if (typeof url !== "string" && !(url instanceof URL))
    return "The first argument must be the URL of the documentation, as a string or a URL."
  if (typeof options !== "object" || options === null) return "The second argument must be an object of options."
  const { onProgress, signal }: { readonly onProgress?: unknown; readonly signal?: unknown } = options
  if (signal !== undefined && !(signal instanceof AbortSignal)) return "The option signal must be an AbortSignal."
  return onProgress === undefined || typeof onProgress === "function"
    ? null
    : "The option onProgress must be a function."
}

/** What is wrong with the names of the options; `null` if nothing. An option without an effect is refused, so that no program relies on it. */
const optionsFault = (options: AuditOptions): string | null => {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name))
  if (unknown !== undefined)
    return `${plainText(unknown, 60)} is not an option. The options are ${Object.keys(OPTIONS).join(", ")}.`
  const given = new Set(
    Object.entries(options).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]))
  )
  const idle =
    options.folder === undefined
      ? undefined
      : Object.entries(OPTIONS).find(([name, when]) => when === "without folder" && given.has(name))
  return idle === undefined ? null : `folder audits without a network, so ${idle[0]} cannot be used with it.`
}

const flagsOf = (url: string, options: AuditOptions): SourceFlags => ({
  url: Option.some(options.folder ?? url),
  as: options.folder === undefined ? Option.none() : Option.some(url),
  allowHttp: options.allowHttp ?? false,
  allowPrivate: options.allowPrivate ?? false,
  canonicalOrigin: Option.fromUndefinedOr(options.canonicalOrigin),
  concurrency: Option.fromUndefinedOr(options.concurrency),
  sample: Option.fromUndefinedOr(options.sample),
  timeout: Option.fromUndefinedOr(options.timeoutSeconds),
  resolve: options.resolve ?? [],
  record: Option.none(),
  replay: Option.none(),
  server: Option.none()
})

const listenerOf = (onProgress: AuditOptions["onProgress"]): ((event: AuditEvent) => void) => {
  if (onProgress === undefined) return () => {}
  let progress: AuditProgress = { responses: 0, measured: 0, criteria: 0 }
  return (event) => {
    if (event._tag === "Answered") progress = { ...progress, responses: progress.responses + 1 }
    else if (event._tag === "Measured") progress = { ...progress, measured: event.done, criteria: event.total }
    else return
    onProgress(progress)
  }
}

/** Why there is no report. */
export class AuditError extends Error {
  override readonly name = "AuditError"
  /** `usage`: a wrong option, URL or rubric, and nothing was fetched; `not_audited`: the site could not be audited. */
  readonly code: "usage" | "not_audited"

  constructor(code: AuditError["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** Writes a report that `audit` or `--format json` made, in another format. Rejects with an `AuditError` if it is no report, or if there is no such format. */
export const renderReport = async (report: AuditReport, format: RenderFormat): Promise<string> => {
  const fault = formatFault(format)
  if (fault !== null) throw new AuditError("usage", fault)
  const decoded = Schema.decodeUnknownOption(Decoded)(report)
  if (Option.isNone(decoded))
    throw new AuditError("usage", "This is not a report of docgauge: see docgauge/report.schema.json.")
  const { value } = decoded
  return Effect.runPromise(
    Effect.provide(
      formattedReport(value, judgeGoals(value, null, NO_GOALS), { format, rubric: Option.none() }),
      NodeServices.layer
    )
  )
}

/** What is wrong with a format, for programs in JavaScript; `null` if nothing. */
const formatFault = (format: unknown): string | null =>
  typeof format === "string" && Object.hasOwn(reportFormats, format)
    ? null
    : `There is no format ${plainText(String(format), 60)}. The formats are ${Object.keys(reportFormats).join(", ")}.`
