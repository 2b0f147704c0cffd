/** Where the suites of others were fetched to. */
export interface Packages {
  /** The folder of an npm package. */
  readonly npm: (name: string) => string
  /** The folder that a Debian package was unpacked to; `null` where there is no apt. */
  readonly debian: (name: string) => string | null
}

/** A case that comes out otherwise than its suite says, in one line. */
export type Difference = string

export interface Outcome {
  readonly cases: number
  readonly differences: ReadonlyArray<Difference>
}

/** Cases that others wrote, or another program that decides the same questions. */
export interface Suite {
  readonly name: string
  /** Packages that it needs, with versions for npm. */
  readonly npm?: Readonly<Record<string, string>>
  readonly debian?: ReadonlyArray<string>
  /** Programs that must be there. */
  readonly programs?: ReadonlyArray<string>
  readonly run: (packages: Packages) => Promise<Outcome>
  /** Differences that are meant, and why. */
  readonly explained: ReadonlyArray<{ readonly difference: RegExp; readonly why: string }>
}

/** Numbers from a fixed seed, so that a difference that was found is found again (mulberry32). */
export const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
