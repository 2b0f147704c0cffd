import { setTimeout as pause } from "node:timers/promises"
import type { ServiceProcess } from "../../harness/ServiceProcess.ts"
import { smallSite } from "../../harness/SmallSites.ts"
import { type Latencies, latenciesOf } from "../measure/Latencies.ts"
import { paced } from "../measure/EvenPace.ts"
import { repeat } from "../measure/Spread.ts"

/** How long share images take, in milliseconds. */
export interface ImageTimes {
  /** Drawn for the request, one after the other. */
  readonly cold: Latencies
  /** From memory: the quickest of several rounds. */
  readonly warm: Latencies
  /** The last of the images that were asked for at once. */
  readonly crowdMs: number
  /** Other requests while those were drawn. */
  readonly meanwhile: Latencies
}

/** Images that are asked for at once. */
export const CROWD = 8

const COLD = 24

/** What the machine's other tenants take away comes and goes: the quickest round has least of it. */
const ROUNDS = 5

/** One request after the other, far from what the service can do: what is counted is its answer, and not a queue. */
const PACE = { rate: 250, connections: 1, seconds: 2 }

/** Longer than the service takes to load what draws, once it is about to show a report. */
const LOADING_MS = 3_000

/** Audits small sites, and asks for their images. */
export const measureImages = async (service: ServiceProcess): Promise<ImageTimes> => {
  const url = await service.url
  const images = (await auditedRuns(url, COLD + CROWD)).map((id) => `${url}/r/${id}/og.png`)
  await (await fetch(images[0]?.replace("/og.png", "") ?? url)).text()
  await pause(LOADING_MS)
  const [lone, crowd] = [images.slice(CROWD), images.slice(0, CROWD)]
  const cold = await inTurn(lone)
  const warm = await repeat(ROUNDS, () => paced({ url: lone[0] ?? url }, PACE))
  const begun = performance.now()
  const drawn = Promise.all(crowd.map(timed)).then(() => performance.now() - begun)
  const meanwhile = await whileWaiting(drawn, `${url}/healthz/live`)
  return { cold: latenciesOf(cold), warm: quickest(warm), crowdMs: await drawn, meanwhile: latenciesOf(meanwhile) }
}

const quickest = (rounds: ReadonlyArray<Latencies>): Latencies =>
  rounds.reduce((best, round) => (round.p99 < best.p99 ? round : best))

/** The ids of that number of finished runs. */
const auditedRuns = async (url: string, count: number): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let index = 0; index < count; index++) {
    const response = await fetch(`${url}/audit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: smallSite(`image-${index}`) })
    })
    await response.text()
    ids.push(response.headers.get("x-audit-run-id") ?? "")
  }
  return ids
}

const inTurn = async (addresses: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  for (const address of addresses) took.push(await timed(address))
  return took
}

const whileWaiting = async (end: Promise<unknown>, address: string): Promise<ReadonlyArray<number>> => {
  const state = { going: true }
  void end.finally(() => {
    state.going = false
  })
  const took: Array<number> = []
  while (state.going) took.push(await timed(address))
  return took
}

const timed = async (address: string): Promise<number> => {
  const begun = performance.now()
  const response = await fetch(address)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${address} was answered with ${response.status}`)
  return performance.now() - begun
}
