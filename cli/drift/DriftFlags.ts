import { Argument, type Command } from "effect/cli"
import { auditFlagGroups } from "../audit/AuditFlags.ts"
import { formatFlag, optionalText } from "../io/Flags.ts"
import { KINDS_TEXT } from "./DriftKinds.ts"

const { Audit, Network, Output, Previews } = auditFlagGroups

export const DRIFT_FORMATS = ["text", "json", "sarif", "github", "junit"] as const

/** Flags of `docgauge drift`, by the heading of its help under which they stand. */
export const driftFlagGroups = {
  Source: {
    as: optionalText(
      "as",
      "URL",
      "Compare a folder as the site that it will be published at. docgauge drift ./build --as https://docs.example.com"
    ),
    replay: Audit.replay,
    spec: optionalText(
      "spec",
      "FILE",
      "Compare with the API description in this file instead of the one that the site publishes. --spec openapi.yaml"
    ),
    only: optionalText("only", "KINDS", `Compare only these: ${KINDS_TEXT}. --only examples,calls`),
    sample: Audit.sample
  },
  Output: {
    format: formatFlag(
      DRIFT_FORMATS,
      "Format: text, json, sarif (code scanning), github (annotations) or junit (test results). --format json"
    ),
    output: optionalText("output", "FILE", "Write to FILE instead of stdout. --output drift.json"),
    quiet: Output.quiet,
    noColor: Output.noColor
  },
  Gates: {
    baseline: optionalText(
      "baseline",
      "DRIFT.json",
      "Exit with 1 only for what this earlier --format json does not have. --baseline drift.json"
    )
  },
  Network,
  Previews
} as const

/** Arguments and flags of `docgauge drift`. */
export const driftFlags = {
  url: Argument.String("base-url").pipe(
    Argument.withDescription(
      "URL of the documentation; with --as, a folder with its static build; not needed with --replay"
    ),
    Argument.optional
  ),
  ...driftFlagGroups.Source,
  ...driftFlagGroups.Output,
  ...driftFlagGroups.Gates,
  ...driftFlagGroups.Network,
  ...driftFlagGroups.Previews
} as const

export type DriftFlags = Command.Command.Config.Infer<typeof driftFlags>
