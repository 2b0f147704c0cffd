/** What a series of calls took. */
export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** From milliseconds. */
export const latenciesOf = (millis: ReadonlyArray<number>): Latencies => {
  const sorted = millis.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
