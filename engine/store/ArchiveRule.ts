import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"

/** Where archives are kept, and which. */
export interface ArchiveRule {
  readonly folder: string
  /** The newest of a site that are kept; `null`: however many. */
  readonly keep: number | null
  /** How old they may get, in days; `null`: however old. */
  readonly days: number | null
  /** How large all of them together may get, in bytes; the oldest are dropped first. */
  readonly totalBytes: number
}

const DEFAULT_FOLDER = "data/archives"
const DEFAULT_TOTAL = 5 * 1024 ** 3

/**
 * Reads `off`, or a folder, `keep=N`, `days=N` and `total=SIZE`, any of them, separated by commas. Without a folder it is
 * `data/archives`; without `keep` and `days` the two newest of a site are kept; without `total` 5 GB in all.
 */
export const parseArchiveRule = (text: string): Result.Result<ArchiveRule | null, string> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  if (parts.length === 1 && parts[0] === "off") return Result.succeed(null)
  const folders = parts.filter((part) => !RULE.test(part))
  const wrong = folders.find((part) => part === "off" || part.includes("=") || part.includes("\0"))
  if (wrong !== undefined) return Result.fail(wrong.startsWith("total") ? `${JSON.stringify(wrong)} is no size: use total=500MB or total=5GB` : `${JSON.stringify(wrong)} is none of off, a folder, keep=N, days=N and total=SIZE`)
  if (folders.length > 1) return Result.fail("more than one folder")
  const [keep, days, total] = [valuesOf(parts, "keep"), valuesOf(parts, "days"), valuesOf(parts, "total")]
  const twice = Object.entries({ keep, days, total }).find(([, values]) => values.length > 1)
  if (twice !== undefined) return Result.fail(`${twice[0]} is given twice`)
  if ([...keep, ...days].some((number) => number < 1 || number > 1_000_000)) return Result.fail("keep and days are whole numbers from 1 on; off keeps nothing")
  if (total.includes(0)) return Result.fail("total must be more than nothing; off keeps nothing")
  return Result.succeed({
    folder: folders[0] ?? DEFAULT_FOLDER,
    keep: keep[0] ?? (days.length > 0 ? null : 2),
    days: days[0] ?? null,
    totalBytes: total[0] ?? DEFAULT_TOTAL
  })
}

/** `DOCGAUGE_ARCHIVES`; `null` where no archives are kept. A wrong value fails with one line that names the variable. */
export const archiveRule: Config.Config<ArchiveRule | null> = setting("DOCGAUGE_ARCHIVES", "", parseArchiveRule)

const RULE = /^(?:(keep|days)=(\d{1,9})|(total)=(\d{1,6})(KB|MB|GB))$/i

const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

const valuesOf = (parts: ReadonlyArray<string>, name: string): ReadonlyArray<number> =>
  parts.flatMap((part) => {
    const [, count, number, total, size, unit = ""] = RULE.exec(part) ?? []
    if ((count ?? total)?.toLowerCase() !== name) return []
    return [count === undefined ? Number(size) * (UNITS[unit.toUpperCase()] ?? 1) : Number(number)]
  })
