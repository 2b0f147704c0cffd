import type { Fastify, Load, Target } from "./Fastify.ts"
import { median } from "./Spread.ts"

/** What answers of ours are measured by: a fastify route that sends the same. */
export interface Compared {
  readonly name: string
  readonly ours: Target
  readonly theirs: Target
  readonly status: number
  /** The least share of fastify's throughput. */
  readonly share: number
}

/** What came of a comparison: medians. */
export interface Comparison {
  readonly ours: number
  readonly theirs: number
  readonly share: number
  /** Milliseconds at half of the load that saturates. */
  readonly p99: number
}

const CONNECTIONS = 32
const SECONDS = 3

/** The first load of each is for warming up. */
const ROUNDS = 4

/** In turns, so that whatever else the machine does slows down both. */
export const compareThroughput = async (fastify: Fastify, { ours, status, theirs }: Compared): Promise<Comparison> => {
  const pairs: Array<readonly [ours: number, theirs: number]> = []
  for (let round = 0; round < ROUNDS; round++) {
    const pair = [await sound(fastify, ours, status), await sound(fastify, theirs, status)] as const
    if (round > 0) pairs.push(pair)
  }
  const rate = median(pairs.map(([rate]) => rate))
  const half = await fastify.load(ours, { connections: CONNECTIONS, seconds: SECONDS, rate: rate / 2 })
  return { ours: rate, theirs: median(pairs.map(([, rate]) => rate)), share: median(pairs.map(([one, other]) => one / other)), p99: half.p99 }
}

const sound = async (fastify: Fastify, target: Target, status: number): Promise<number> => {
  const load: Load = await fastify.load(target, { connections: CONNECTIONS, seconds: SECONDS })
  if (load.lost > 0 || load.statuses.some((one) => one !== status)) throw new Error(`${target.url} answered ${load.statuses.join(", ")}, and ${load.lost} times not at all`)
  return load.rate
}
