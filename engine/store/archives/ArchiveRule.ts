import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { parseKeepRule } from "../../config/KeepRule.ts"
import { setting } from "../../config/Setting.ts"

/** Where archives are stored, and which are kept. */
export interface ArchiveRule {
  readonly folder: string
  /** Maximum number per site; `null`: no limit. */
  readonly keep: number | null
  /** Maximum age in days; `null`: no limit. */
  readonly days: number | null
  /** Maximum total size in bytes; the oldest are deleted first. */
  readonly totalBytes: number
}

const DEFAULT_FOLDER = "data/archives"
const DEFAULT_TOTAL = 5 * 1024 ** 3

/**
 * Parses `off`, or any of a folder, `keep=N`, `days=N` and `total=SIZE`, separated by commas. Defaults: the folder
 * `data/archives`, the two newest archives of a site unless `keep` or `days` is given, and 5 GB in total.
 */
export const parseArchiveRule = (text: string): Result.Result<ArchiveRule | null, string> => {
  if (text.trim() === "off") return Result.succeed(null)
  return Result.flatMap(
    parseKeepRule(text, ["keep", "days", "total"]),
    ({ days, keep, others, total }): Result.Result<ArchiveRule, string> => {
      const wrong = others.find((part) => part === "off" || part.includes("=") || part.includes("\0"))
      if (wrong !== undefined)
        return Result.fail(`${JSON.stringify(wrong)} is not off, a folder, keep=N, days=N or total=SIZE`)
      if (others.length > 1) return Result.fail("more than one folder")
      return Result.succeed({
        folder: others[0] ?? DEFAULT_FOLDER,
        keep: keep ?? (days === null ? 2 : null),
        days,
        totalBytes: total ?? DEFAULT_TOTAL
      })
    }
  )
}

/** `DOCGAUGE_ARCHIVES`; `null` if no archives are kept. An invalid value fails with one line that names the variable. */
export const archiveRule: Config.Config<ArchiveRule | null> = setting("DOCGAUGE_ARCHIVES", "", parseArchiveRule)
