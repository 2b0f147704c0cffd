import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import type { Target } from "../data/Fastify.ts"
import type { Latencies } from "./Latencies.ts"

/** How often a target is asked, by how many connections, and for how long. */
export interface Pace {
  /** Requests a second. */
  readonly rate: number
  readonly connections: number
  readonly seconds: number
}

/** With room for its own garbage: what it waits for that would count as ours. */
const PACED = ["--max-semi-space-size=64", join(import.meta.dirname, "../paced.ts")]

/** Asks at an even pace from a process of its own, and tells what the answers took, in milliseconds. */
export const paced = async ({ json, url }: Target, { connections, rate, seconds }: Pace): Promise<Latencies> => {
  const body = json === undefined ? [] : [json]
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...PACED,
    url,
    String(Math.round(rate)),
    String(seconds),
    String(connections),
    ...body
  ])
  const latencies: Latencies = JSON.parse(stdout)
  return latencies
}
