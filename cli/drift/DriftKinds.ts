import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { DRIFT_KINDS, type DriftKind } from "../../engine/drift/Drift.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/** `calls`, as `--only` and sentences name what is compared. */
export const pluralOf = (kind: DriftKind): string => `${kind}s`

export const KINDS_TEXT = DRIFT_KINDS.map(pluralOf).join(", ")

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
