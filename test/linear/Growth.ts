import process from "node:process"
import { expect } from "vitest"

/** One way to make work for a parser: an input that grows, and what reads it. */
export interface GrowthCase {
  readonly name: string
  /** An input of about `size` characters. */
  readonly make: (size: number) => string
  readonly run: (input: string) => unknown
  /** The longest input that can reach this code, in characters; 1 000 000 where it is left out. */
  readonly most?: number
}

/** Shorter runs are mostly noise, in milliseconds: they count as this long. */
const MEASURABLE = 6

/** Linear work takes 4 times as long for 4 times as much, up to 9 times where it outgrows the processor's caches; quadratic work 16 times. */
const STEP = 4
const MOST_GROWTH = 11

const ROUNDS = 3
const SMALLEST = 2_000

/**
 * CPU time that this thread spends on it, in milliseconds: what other processes and threads do on the machine does not count, nor the time in
 * the system, most of which is for the pages of memory, which cost some machines more than reading them.
 */
const cpuMs = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  return process.threadCpuUsage(before).user / 1_000
}

/** A run on one size, timed without the making of its input. */
const timed = ({ make, run }: GrowthCase, size: number): (() => Promise<number>) => {
  const input = make(size)
  return () => cpuMs(() => run(input))
}

/** The best of some runs, which end early with one that took at most `enough`. */
const bestOf = async (rounds: number, enough: number, once: () => Promise<number>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && best > enough; round++) best = Math.min(best, await once())
  return best
}

/**
 * Fails where four times the input takes more than eleven times the CPU time: the best of three runs each, on inputs that
 * take 6 ms or more, in each of three measurements and in the mean of two steps, because a busy machine takes caches away for a while. Passes where not even the longest
 * possible input takes eleven times that long.
 */
export const expectLinear = async (growing: GrowthCase): Promise<void> => {
  const measurements: Array<Growth> = []
  while (measurements.length < MEASUREMENTS && measurements.every(({ times }) => times > MOST_GROWTH))
    measurements.push(await growthOf(growing))
  expect(
    Math.min(...measurements.map(({ times }) => times)),
    measurements.map(({ says }) => says).join("; ")
  ).toBeLessThanOrEqual(MOST_GROWTH)
}

const MEASUREMENTS = 3

interface Growth {
  /** How many times as long four times the input takes, in the mean of two such steps where the first is steep. */
  readonly times: number
  readonly says: string
}

const growthOf = async (growing: GrowthCase): Promise<Growth> => {
  const most = growing.most ?? 1_000_000
  let size = Math.min(SMALLEST, most / STEP)
  let base = await bestOf(ROUNDS, MEASURABLE, timed(growing, size))
  while (base <= MEASURABLE && size * 2 * STEP <= most) {
    size *= 2
    base = await bestOf(ROUNDS, MEASURABLE, timed(growing, size))
  }
  base = Math.max(base, MEASURABLE)
  const more = await bestOf(ROUNDS, base * MOST_GROWTH, timed(growing, size * STEP))
  const says = `${Math.round(base)} ms for ${size} characters, ${Math.round(more)} ms for ${size * STEP}`
  if (more / base <= MOST_GROWTH || size * STEP ** 2 > most) return { times: more / base, says }
  // Caches are outgrown once; what is quadratic goes on so.
  const evenMore = await bestOf(ROUNDS, base * MOST_GROWTH ** 2, timed(growing, size * STEP ** 2))
  return { times: Math.sqrt(evenMore / base), says: `${says}, ${Math.round(evenMore)} ms for ${size * STEP ** 2}` }
}
