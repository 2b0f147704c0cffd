const MONTHS = "january february march april may june july august september october november december".split(" ")

/**
 * The numbers of a version, to compare it with another: of `v1.0.1`, `30.0`, `v29.4-release`, `2026-07-28`, `draft-10` or
 * `September2025`. `null`: of a candidate, a draft of a release, or of anything else that has no such form.
 */
export const versionParts = (version: string): ReadonlyArray<number> | null => {
  const [, numbers] = /^(?:v|draft-)?(\d{1,9}(?:[.-]\d{1,9}){0,5})(?:-release)?$/i.exec(version) ?? []
  if (numbers !== undefined) return numbers.split(/[.-]/).map(Number)
  const [, month = "", year] = /^([a-z]{3,9})(\d{4})$/i.exec(version) ?? []
  const index = MONTHS.indexOf(month.toLowerCase())
  return index < 0 ? null : [Number(year), index + 1]
}

/** The first number that differs decides; `1.2` is as late as `1.2.0`. */
export const isLater = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean => {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** The latest of some versions; those that cannot be compared are left out. `null`: none can. */
export const newestOf = (versions: ReadonlyArray<string>): string | null => {
  let newest: { readonly version: string; readonly parts: ReadonlyArray<number> } | null = null
  for (const version of versions) {
    const parts = versionParts(version)
    if (parts !== null && (newest === null || isLater(parts, newest.parts))) newest = { version, parts }
  }
  return newest?.version ?? null
}
