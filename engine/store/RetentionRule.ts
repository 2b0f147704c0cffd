import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"

/** Which runs that are over are kept; a run goes as soon as either says so. */
export interface RetentionRule {
  /** The newest of a site that are kept; `null`: however many. */
  readonly keep: number | null
  /** How old they may get, in days since they were accepted; `null`: however old. */
  readonly days: number | null
}

const NAME = "DOCGAUGE_RETENTION"

/** `DOCGAUGE_RETENTION`; `null` where all runs are kept. A wrong value fails with one line that names the variable. */
export const retentionRule: Config.Config<RetentionRule | null> = Config.String(NAME).pipe(
  Config.withDefault("off"),
  Config.mapEffect((text) => {
    const rule = parseRetentionRule(text)
    return Result.isSuccess(rule) ? Config.succeed(rule.success) : Config.fail(new SourceError({ message: `${NAME}: ${rule.failure}` }))
  })
)

/** Reads `off`, or `keep=N` and `days=N`, one of them or both, separated by a comma. */
export const parseRetentionRule = (text: string): Result.Result<RetentionRule | null, string> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  if (parts.length === 0 || (parts.length === 1 && parts[0] === "off")) return Result.succeed(null)
  const numbers = new Map<string, number>()
  for (const part of parts) {
    const [, name = "", number = ""] = /^(keep|days)=(\d{1,7})$/.exec(part) ?? []
    if (name === "") return Result.fail(`${JSON.stringify(part)} is none of off, keep=N and days=N`)
    if (numbers.has(name)) return Result.fail(`${name} is given twice`)
    if (Number(number) < 1) return Result.fail("keep and days are whole numbers from 1 on")
    numbers.set(name, Number(number))
  }
  return Result.succeed({ keep: numbers.get("keep") ?? null, days: numbers.get("days") ?? null })
}
