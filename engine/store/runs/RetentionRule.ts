import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { parseKeepRule } from "../../config/KeepRule.ts"
import { setting } from "../../config/Setting.ts"

/** Which finished runs are kept; a run that exceeds either limit is deleted. */
export interface RetentionRule {
  /** The number of newest runs of a site that are kept; `null`: all. */
  readonly keep: number | null
  /** Maximum age in days since the run was accepted; `null`: any age. */
  readonly days: number | null
}

/** `DOCGAUGE_RETENTION`; `null` if all runs are kept. An invalid value fails with one line that names the variable. */
export const retentionRule: Config.Config<RetentionRule | null> = setting("DOCGAUGE_RETENTION", "off", (text) =>
  parseRetentionRule(text)
)

/** Parses `off`, or `keep=N` and `days=N`, one of them or both, separated by a comma. */
export const parseRetentionRule = (text: string): Result.Result<RetentionRule | null, string> =>
  Result.flatMap(
    parseKeepRule(text, ["keep", "days"]),
    ({ days, keep, others }): Result.Result<RetentionRule | null, string> => {
      const bounds = keep !== null || days !== null
      const wrong = others.find((part) => part !== "off" || bounds)
      if (wrong !== undefined) return Result.fail(`${JSON.stringify(wrong)} is not off, keep=N or days=N`)
      return Result.succeed(bounds ? { keep, days } : null)
    }
  )
