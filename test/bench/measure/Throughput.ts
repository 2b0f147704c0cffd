import type { Fastify, Target } from "../data/Fastify.ts"
import { paced } from "./EvenPace.ts"
import { median, repeat } from "./Spread.ts"

/** What answers of ours are measured by: a fastify route that sends the same. */
export interface Compared {
  readonly name: string
  readonly ours: Target
  readonly theirs: Target
  readonly status: number
  /** The least share of fastify's throughput. */
  readonly share: number
}

/** Answers a second: medians. */
export interface Rates {
  readonly ours: number
  readonly theirs: number
  readonly share: number
}

/** The same, and what an answer takes. */
export interface Comparison extends Rates {
  /** Milliseconds at half of the load that saturates ours. */
  readonly p99: number
  /** Fastify's at the same load. */
  readonly theirP99: number
}

const CONNECTIONS = 32
const SECONDS = 3

/** The first load of each is for warming up. */
const ROUNDS = 6

/** What the machine's other tenants take away comes and goes: the quickest round has least of it. */
const PACED_ROUNDS = 5

/** In turns, so that whatever else the machine does slows down both. */
export const compareRates = async (fastify: Fastify, { ours, status, theirs }: Compared): Promise<Rates> => {
  const pairs: Array<readonly [ours: number, theirs: number]> = []
  for (let round = 0; round < ROUNDS; round++) {
    const pair = [await sound(fastify, ours, status), await sound(fastify, theirs, status)] as const
    if (round > 0) pairs.push(pair)
  }
  return {
    ours: median(pairs.map(([rate]) => rate)),
    theirs: median(pairs.map(([, rate]) => rate)),
    share: median(pairs.map(([one, other]) => one / other))
  }
}

/** Also at half of the load that saturates ours. */
export const compareThroughput = async (fastify: Fastify, compared: Compared): Promise<Comparison> => {
  const rates = await compareRates(fastify, compared)
  const rate = rates.ours / 2
  return { ...rates, p99: await quickest(compared.ours, rate), theirP99: await quickest(compared.theirs, rate) }
}

const sound = async (fastify: Fastify, target: Target, status: number): Promise<number> => {
  const { lost, rate, statuses } = await fastify.load(target, { connections: CONNECTIONS, seconds: SECONDS })
  if (lost > 0 || statuses.some((one) => one !== status))
    throw new Error(`${target.url} answered ${statuses.join(", ")}, and ${lost} times not at all`)
  return rate
}

const quickest = async (target: Target, rate: number): Promise<number> => {
  const rounds = await repeat(PACED_ROUNDS, () => paced(target, { rate, connections: CONNECTIONS, seconds: SECONDS }))
  return Math.min(...rounds.map(({ p99 }) => p99))
}
