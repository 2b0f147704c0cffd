import * as Result from "effect/Result"

const MOST = 1_000_000

/** A count as operators write it (`2`, `1000`), at least 1; `null` for `off`. Fails with what is wrong, as a clause. */
export const parseCount = (text: string): Result.Result<number | null, string> => {
  const trimmed = text.trim()
  if (trimmed === "off") return Result.succeed(null)
  const count = /^\d{1,7}$/.test(trimmed) ? Number(trimmed) : 0
  return count >= 1 && count <= MOST
    ? Result.succeed(count)
    : Result.fail(`give a whole number from 1 to ${MOST}, or off`)
}
