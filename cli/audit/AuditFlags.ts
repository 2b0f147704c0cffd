import * as Option from "effect/Option"
import { Argument, type Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { NAMED_AGENTS } from "../../engine/audit/agents/NamedAgents.ts"
import { REQUESTS_AS_AGENTS, USUAL_SAMPLE } from "../../engine/evidence/AuditBudget.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import {
  allowHttp,
  allowPlugins,
  allowPrivate,
  described,
  noColor,
  off,
  optionalText,
  repeated,
  resolve,
  rubric
} from "../io/Flags.ts"
import { FILE_FORMATS, FORMATS_TEXT, REPORT_FORMATS } from "./ReportFormats.ts"

/** Values of flags that were not given. */
export const DEFAULTS = {
  sample: USUAL_SAMPLE,
  concurrency: defaultLimits.perHost,
  timeout: defaultLimits.gatherMs / 1_000,
  maxDrop: 0
} as const

const wholeNumber = (name: string, metavar: string, description: string) =>
  Flag.Int(name).pipe(Flag.withMetavar(metavar), described(description))

/** Flags of `docgauge <base-url>`, by the heading of its help under which they stand. */
export const auditFlagGroups = {
  Audit: {
    as: optionalText(
      "as",
      "URL",
      "Audit a folder as the site that it will be published at, without using the network. docgauge ./build --as https://docs.example.com"
    ),
    config: optionalText(
      "config",
      "FILE",
      "Audit the sites of this file and judge them by its goals; without a URL, docgauge.yaml in the working directory is used. --config ci/docgauge.yaml"
    ),
    sample: wholeNumber("sample", "N", `Number of pages to read. --sample 40 (default: ${DEFAULTS.sample})`).pipe(
      Flag.optional
    ),
    asAgents: off(
      "as-agents",
      `For your own site only: also ask for six URLs as ${NAMED_AGENTS.length} AI agents ask, with at most ${REQUESTS_AS_AGENTS} more requests, and show what each is served; never changes the score`
    ),
    rubric,
    allowPlugins,
    record: optionalText("record", "FILE", "Save every request and response to a WARC archive. --record audit.warc.gz"),
    replay: optionalText(
      "replay",
      "FILE",
      "Audit from an archive without using the network; the URL is optional. --replay audit.warc.gz"
    ),
    server: optionalText(
      "server",
      "URL",
      "Run the audit on a docgauge service and print its report. --server https://docgauge.example"
    )
  },
  Output: {
    format: Flag.Literals("format", REPORT_FORMATS).pipe(
      Flag.withMetavar("FORMAT"),
      described(`Report format: ${FORMATS_TEXT}, or both (Markdown and JSON). --format json`),
      Flag.withDefault("text")
    ),
    output: optionalText(
      "output",
      "FILE",
      "Write the report to FILE instead of stdout; with --format both, to FILE.md and FILE.json. --output report.json"
    ),
    write: repeated(
      "write",
      "FORMAT=FILE",
      `Also write the report to FILE in a format: ${FILE_FORMATS.join(", ")}; repeatable. --write json=report.json`
    ),
    verbose: Flag.Boolean("verbose").pipe(
      Flag.withAlias("v"),
      described(
        "Show what was found for each criterion in the text report; twice (-vv): all steps, every finding, and the requests and responses"
      ),
      Flag.atLeast(0),
      Flag.map((given) => given.filter((each) => each).length)
    ),
    quiet: off("quiet", "Hide progress on stderr"),
    noColor
  },
  Gates: {
    minScore: wholeNumber(
      "min-score",
      "N",
      "Exit with 1 if the score is below N, with 4 if it is not reliable or we could check too little to tell. --min-score 75"
    ).pipe(Flag.optional),
    baseline: optionalText(
      "baseline",
      "REPORT.json",
      "Compare the score with an earlier report of the same site, and say which criteria lost points. --baseline main.json"
    ),
    maxDrop: wholeNumber(
      "max-drop",
      "N",
      `With --baseline: exit as with --min-score if the score dropped by more than N. --baseline main.json --max-drop 2 (default: ${DEFAULTS.maxDrop})`
    ).pipe(Flag.optional),
    maxDrift: wholeNumber(
      "max-drift",
      "N",
      "Exit with 1 if more than N examples, calls, table rows and figures say something else than the API description. --max-drift 0"
    ).pipe(Flag.optional),
    requireReliable: off("require-reliable", "Exit with 4 if the score is not reliable")
  },
  Network: {
    timeout: wholeNumber(
      "timeout",
      "SECONDS",
      `Time limit for fetching. --timeout 60 (default: ${DEFAULTS.timeout})`
    ).pipe(Flag.optional),
    concurrency: wholeNumber(
      "concurrency",
      "N",
      `Parallel requests per host. --concurrency 2 (default: ${DEFAULTS.concurrency})`
    ).pipe(Flag.optional),
    allowHttp,
    allowPrivate,
    resolve
  },
  Previews: {
    canonicalOrigin: optionalText(
      "canonical-origin",
      "URL",
      "Production origin that a preview's links point to; links to it are followed on the preview. --canonical-origin https://docs.example.com"
    ),
    header: repeated(
      "header",
      "'NAME: VALUE'",
      "Send a header to the audited origin alone; repeatable. It is never recorded or printed; ${NAME} is an environment variable. --header 'Authorization: Bearer ${PREVIEW_TOKEN}'"
    ),
    basicAuth: optionalText(
      "basic-auth",
      "'${USER}:${PASSWORD}'",
      "Log in to the audited origin with the values of these environment variables. --basic-auth '${PREVIEW_USER}:${PREVIEW_PASSWORD}'"
    )
  }
} as const

export const auditFlags = {
  url: Argument.String("base-url").pipe(
    Argument.withDescription(
      "URL of the documentation, such as https://docs.example.com (https:// may be left out); with --as, a folder with its static build"
    ),
    Argument.optional
  ),
  ...auditFlagGroups.Audit,
  ...auditFlagGroups.Output,
  ...auditFlagGroups.Gates,
  ...auditFlagGroups.Network,
  ...auditFlagGroups.Previews
} as const

export type AuditFlags = Command.Command.Config.Infer<typeof auditFlags>

export const flagNumber = <Name extends keyof typeof DEFAULTS>(
  flags: Readonly<Record<Name, Option.Option<number>>>,
  name: Name
): number => {
  const given: Option.Option<number> = flags[name]
  return Option.getOrElse(given, (): number => DEFAULTS[name])
}

/** The configuration file that is used without a flag, in the working directory. */
export const CONFIG_FILE = "docgauge.yaml"

/** The file of `--config`, or `docgauge.yaml` in the working directory if nothing else says what to audit. */
export const configFile = ({ as, config, replay, url }: AuditFlags): Option.Option<string> =>
  [as, config, replay, url].every(Option.isNone) && existsSync(CONFIG_FILE) ? Option.some(CONFIG_FILE) : config
