import { Argument, type Command } from "effect/cli"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { DRIFT_KINDS, type DriftKind } from "../../engine/drift/Drift.ts"
import { auditFlagGroups } from "../audit/AuditFlags.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { formatFlag, optionalText } from "../io/Flags.ts"

const { Audit, Network, Output, Previews } = auditFlagGroups

const DRIFT_FORMATS = ["text", "json", "sarif", "github", "junit"] as const

/** `calls`, as `--only` and sentences name what is compared. */
export const pluralOf = (kind: DriftKind): string => `${kind}s`

const KINDS_TEXT = DRIFT_KINDS.map(pluralOf).join(", ")

/** The kinds that `--only` names; all without it. */
export const kindsOf = (only: Option.Option<string>): Effect.Effect<ReadonlyArray<DriftKind>, CliFailure> => {
  if (Option.isNone(only)) return Effect.succeed(DRIFT_KINDS)
  const names = only.value
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "")
  const kinds = DRIFT_KINDS.filter((kind) => names.includes(pluralOf(kind)))
  return names.length > 0 && names.every((name) => kinds.some((kind) => pluralOf(kind) === name))
    ? Effect.succeed(kinds)
    : Effect.fail(wrongUsage(`--only takes ${KINDS_TEXT}, as in: --only examples,calls`))
}

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
