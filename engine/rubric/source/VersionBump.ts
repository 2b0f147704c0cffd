/** How far a version moves. Each kind covers those before it. */
export type Bump = "none" | "patch" | "minor" | "major"

const ORDER: ReadonlyArray<Bump> = ["none", "patch", "minor", "major"]

/** Whether a bump is at least as large as another one. */
export const covers = (given: Bump, owed: Bump): boolean => ORDER.indexOf(given) >= ORDER.indexOf(owed)

/** The largest of some bumps; `none` of none. */
export const largest = (bumps: ReadonlyArray<Bump>): Bump =>
  bumps.reduce((most, bump) => (covers(most, bump) ? most : bump), "none")

/** How far it is from a version to a later one; `null` where the second is the older one. */
export const bumpBetween = (from: string, to: string): Bump | null => {
  if (isBelow(to, from)) return null
  const [before, after] = [partsOf(from), partsOf(to)]
  const differing = after.findIndex((part, index) => part !== before[index])
  return (["major", "minor", "patch"] as const)[differing] ?? "none"
}

/** The least version that a bump leads to. */
export const bumped = (version: string, bump: Bump): string => {
  const [major = 0, minor = 0, patch = 0] = partsOf(version)
  switch (bump) {
    case "none":
      return version
    case "patch":
      return `${major}.${minor}.${patch + 1}`
    case "minor":
      return `${major}.${minor + 1}.0`
    case "major":
      return `${major + 1}.0.0`
  }
}

/** Whether a version comes before another one; what is no version comes before nothing. */
export const isBelow = (version: string, other: string): boolean => {
  const [left, right] = [partsOf(version), partsOf(other)]
  const differing = left.findIndex((part, index) => part !== right[index])
  return differing !== -1 && (left[differing] ?? 0) < (right[differing] ?? 0)
}

const partsOf = (version: string): ReadonlyArray<number> => version.split(".").map(Number)
