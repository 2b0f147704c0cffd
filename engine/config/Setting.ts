import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"

/** An environment variable; a value that `parse` does not take fails in one line that names the variable. */
export const setting = <A>(
  name: string,
  fallback: string,
  parse: (text: string) => Result.Result<A, string>
): Config.Config<A> =>
  Config.String(name).pipe(
    Config.withDefault(fallback),
    Config.mapEffect((text) => {
      const parsed = parse(text)
      return Result.isSuccess(parsed)
        ? Config.succeed(parsed.success)
        : Config.fail(new SourceError({ message: `${name}: ${parsed.failure}` }))
    })
  )

/** How much of something is kept: the newest of a site, up to an age, up to a size of all together. */
interface KeepRule {
  /** `null`: however many. */
  readonly keep: number | null
  /** In days; `null`: however old. */
  readonly days: number | null
  /** In bytes; `null`: however large. */
  readonly total: number | null
  /** Parts that are none of these, in order. */
  readonly others: ReadonlyArray<string>
}

type Bound = "keep" | "days" | "total"

const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Reads `keep=N`, `days=N` and `total=SIZE`, those of them that are `allowed`, each at most once, separated by commas. */
export const parseKeepRule = (text: string, allowed: ReadonlyArray<Bound>): Result.Result<KeepRule, string> => {
  const values = new Map<Bound, number>()
  const others: Array<string> = []
  for (const part of text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")) {
    const bound = allowed.find((name) => part.toLowerCase().startsWith(name) && part.includes("="))
    if (bound === undefined) {
      others.push(part)
      continue
    }
    const value = bound === "total" ? sizeOf(part) : countOf(part)
    if (value === null)
      return Result.fail(
        bound === "total"
          ? `${JSON.stringify(part)} is not a size: use total=500MB or total=5GB`
          : `${JSON.stringify(part)} is not a whole number from 1 to 1,000,000`
      )
    if (values.has(bound)) return Result.fail(`${bound} is given twice`)
    values.set(bound, value)
  }
  return Result.succeed({
    keep: values.get("keep") ?? null,
    days: values.get("days") ?? null,
    total: values.get("total") ?? null,
    others
  })
}

const countOf = (part: string): number | null => {
  const count = Number(/=(\d{1,7})$/.exec(part)?.[1])
  return count >= 1 && count <= 1_000_000 ? count : null
}

const sizeOf = (part: string): number | null => {
  const [, number, unit = ""] = /=(\d{1,6})(KB|MB|GB)$/i.exec(part) ?? []
  const bytes = Number(number) * (UNITS[unit.toUpperCase()] ?? Number.NaN)
  return bytes > 0 ? bytes : null
}
