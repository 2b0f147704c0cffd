import type { DriftOutcome } from "./DriftOutcome.ts"

/** Counts and findings, as `--baseline` reads them. */
export const driftJson = ({ drift }: Pick<DriftOutcome, "drift">): string => `${JSON.stringify(drift, null, 2)}\n`
