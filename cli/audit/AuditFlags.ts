import * as Option from "effect/Option"
import { Argument, type Command, Flag } from "effect/cli"
import { USUAL_SAMPLE } from "../../engine/evidence/AuditBudget.ts"
import { allowHttp, allowPlugins, allowPrivate, described, noColor, off, optionalText, repeated, resolve, rubric } from "../io/Flags.ts"
import { FILE_FORMATS, FORMATS_TEXT, REPORT_FORMATS } from "./ReportFormats.ts"

const wholeNumber = (name: string, metavar: string, description: string) => Flag.Int(name).pipe(Flag.withMetavar(metavar), described(description))

/** Arguments and flags of `docgauge <base-url>`. */
export const auditFlags = {
  url: Argument.String("base-url").pipe(
    Argument.withDescription("URL of the documentation, such as https://docs.example.com (https:// may be left out); with --as, a folder with its static build"),
    Argument.optional
  ),
  format: Flag.Literals("format", REPORT_FORMATS).pipe(
    described(`Report format: ${FORMATS_TEXT}, or both (Markdown and JSON). --format json`),
    Flag.withDefault("text")
  ),
  output: optionalText("output", "FILE", "Write the report to FILE instead of stdout; with --format both, to FILE.md and FILE.json (an ending .md or .json of FILE is dropped first). --output report.json"),
  write: repeated("write", "FORMAT=FILE", `Also write the report to FILE in a format: ${FILE_FORMATS.join(", ")}; repeatable. --write json=report.json --write sarif=report.sarif`),
  minScore: wholeNumber("min-score", "N", "Exit with 1 if the score is below N, with 4 if it is not reliable or we could check too little to tell. --min-score 75").pipe(Flag.optional),
  baseline: optionalText("baseline", "REPORT.json", "Compare the score with an earlier report of the same site, and say which criteria lost points. --baseline main.json"),
  maxDrop: wholeNumber("max-drop", "N", "With --baseline: exit with 1 if the score dropped by more than N, with 4 if it is not reliable or we could check too little to tell. --baseline main.json --max-drop 2 (default: 0)").pipe(Flag.optional),
  requireReliable: off("require-reliable", "Exit with 4 if the score is not reliable"),
  rubric,
  as: optionalText("as", "URL", "Audit a folder as the site that it will be published at, without using the network. docgauge ./build --as https://docs.example.com"),
  record: optionalText("record", "FILE", "Save every request and response to a WARC archive. --record audit.warc.gz"),
  replay: optionalText("replay", "FILE", "Audit from an archive without using the network; the URL is optional. --replay audit.warc.gz"),
  resolve,
  canonicalOrigin: optionalText("canonical-origin", "URL", "Production origin that a preview's links point to; links to it are followed on the preview. --canonical-origin https://docs.example.com"),
  header: repeated("header", "'NAME: VALUE'", "Send this header to the audited origin alone, for previews behind a login; ${NAME} is an environment variable; repeatable. Never recorded or printed. --header 'Authorization: Bearer ${PREVIEW_TOKEN}'"),
  basicAuth: optionalText("basic-auth", "'${USER}:${PASSWORD}'", "Log in to the audited origin with the values of these environment variables. --basic-auth '${PREVIEW_USER}:${PREVIEW_PASSWORD}'"),
  config: optionalText("config", "FILE", "Audit the sites of this file and judge them by its goals; without a URL, docgauge.yaml in the working directory is used. --config ci/docgauge.yaml"),
  allowPrivate,
  allowHttp,
  allowPlugins,
  sample: wholeNumber("sample", "N", "Number of pages to read. --sample 40 (default: 20)").pipe(Flag.optional),
  concurrency: wholeNumber("concurrency", "N", "Parallel requests per host. --concurrency 2 (default: 6)").pipe(Flag.optional),
  timeout: wholeNumber("timeout", "SECONDS", "Time limit for fetching. --timeout 60 (default: 100)").pipe(Flag.optional),
  server: optionalText("server", "URL", "Run the audit on a docgauge service and print its report. --server https://docgauge.example"),
  verbose: off("verbose", "Show all steps, criteria and findings in the text report").pipe(Flag.withAlias("v")),
  quiet: off("quiet", "Hide progress on stderr"),
  noColor
} as const

export type AuditFlags = Command.Command.Config.Infer<typeof auditFlags>

/** Values of flags that were not given. */
export const DEFAULTS = { sample: USUAL_SAMPLE, concurrency: 6, timeout: 100, maxDrop: 0 } as const

export const flagNumber = <Name extends keyof typeof DEFAULTS>(flags: Readonly<Record<Name, Option.Option<number>>>, name: Name): number => {
  const given: Option.Option<number> = flags[name]
  return Option.getOrElse(given, (): number => DEFAULTS[name])
}
