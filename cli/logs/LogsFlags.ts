import { Argument, type Command } from "effect/cli"
import { auditFlags } from "../audit/AuditFlags.ts"
import { formatFlag, optionalText, repeated } from "../io/Flags.ts"

/** Flags of `docgauge logs`, by the heading of its help under which they stand. */
export const logsFlagGroups = {
  Source: {
    site: optionalText(
      "site",
      "URL",
      "Count only requests to this site's host, where lines name hosts; default: the site of --with. --site https://docs.example.com"
    ),
    with: optionalText(
      "with",
      "REPORT.json",
      "A report of docgauge in JSON: list its findings in the order in which agents meet them. --with report.json"
    ),
    ranges: repeated(
      "ranges",
      "AGENT=FILE",
      "Verify an agent by this file, which its operator publishes in JSON, instead of our copy; repeatable. --ranges GPTBot=gptbot.json"
    )
  },
  Output: {
    format: formatFlag(["text", "json", "markdown", "html"], "Format: text, json, markdown or html. --format json"),
    output: optionalText("output", "FILE", "Write to FILE instead of stdout. --output logs.html"),
    quiet: auditFlags.quiet,
    noColor: auditFlags.noColor
  }
} as const

export const logsFlags = {
  files: Argument.String("file").pipe(
    Argument.withDescription(
      "Access logs, also compressed with gzip or zstd, or folders of them; - reads standard input"
    ),
    Argument.variadic()
  ),
  ...logsFlagGroups.Source,
  ...logsFlagGroups.Output
} as const

export type LogsFlags = Command.Command.Config.Infer<typeof logsFlags>
