import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"

/** Where archives are kept, and which. */
export interface ArchiveRule {
  readonly folder: string
  /** The newest of a site that are kept; `null`: however many. */
  readonly keep: number | null
  /** How old they may get, in days; `null`: however old. */
  readonly days: number | null
}

const NAME = "DOCGAUGE_ARCHIVES"

/** `DOCGAUGE_ARCHIVES`; `null` where no archives are kept. A wrong value fails with one line that names the variable. */
export const archiveRule: Config.Config<ArchiveRule | null> = Config.String(NAME).pipe(
  Config.withDefault(""),
  Config.mapEffect((text) => {
    const rule = parseArchiveRule(text)
    return Result.isSuccess(rule) ? Config.succeed(rule.success) : Config.fail(new SourceError({ message: `${NAME}: ${rule.failure}` }))
  })
)

/**
 * Reads `off`, or a folder, `keep=N` and `days=N`, any of them, separated by commas. Without a folder it is
 * `data/archives`; without a rule the two newest of a site are kept.
 */
export const parseArchiveRule = (text: string): Result.Result<ArchiveRule | null, string> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  if (parts.length === 1 && parts[0] === "off") return Result.succeed(null)
  const folders = parts.filter((part) => !RULE.test(part))
  const wrong = folders.find((part) => part === "off" || part.includes("=") || part.includes("\0"))
  if (wrong !== undefined) return Result.fail(`${JSON.stringify(wrong)} is none of off, a folder, keep=N and days=N`)
  if (folders.length > 1) return Result.fail("more than one folder")
  const [keep, days] = [numbersOf(parts, "keep"), numbersOf(parts, "days")]
  if (keep.length > 1 || days.length > 1) return Result.fail(`${keep.length > 1 ? "keep" : "days"} is given twice`)
  if ([...keep, ...days].some((number) => number < 1 || number > 1_000_000)) return Result.fail("keep and days are whole numbers from 1 on; off keeps nothing")
  return Result.succeed({ folder: folders[0] ?? "data/archives", keep: keep[0] ?? (days.length > 0 ? null : 2), days: days[0] ?? null })
}

const RULE = /^(keep|days)=(\d{1,9})$/

const numbersOf = (parts: ReadonlyArray<string>, name: string): ReadonlyArray<number> =>
  parts.flatMap((part) => {
    const [, found, number] = RULE.exec(part) ?? []
    return found === name ? [Number(number)] : []
  })
