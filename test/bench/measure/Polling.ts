import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import type { ServiceProcess } from "../../harness/ServiceProcess.ts"
import { smallSite } from "../../harness/SmallSites.ts"
import type { Latencies } from "./Latencies.ts"

/** What pollers wait for while audits run. */
export interface Polling {
  /** Milliseconds. */
  readonly p99: number
  /** Milliseconds that the event loop is late by, p99. */
  readonly delayP99: number
  /** Audits that ended meanwhile. */
  readonly audits: number
}

/** The name of the site with the large description. */
export const LARGE_SITE = "large"

const CLIENTS = 200
const SECONDS = 20
const WARM_UP_MS = 3_000

const POLLERS = join(import.meta.dirname, "../pollers.ts")

/** The timer by which the delay is measured, in milliseconds; part of what it measures. */
const RESOLUTION = 10

/** Polls one run that is under way while four lanes of audits are kept busy, one with the large description. */
export const pollWhileAuditing = async (service: ServiceProcess): Promise<Polling> => {
  const url = await service.url
  const crew = { going: true, audits: 0 }
  const lane = async (name: string): Promise<void> => {
    while (crew.going) {
      const response = await submit(url, name, "")
      await response.text()
      crew.audits += 1
    }
  }
  const lanes = [lane(LARGE_SITE), lane("one"), lane("two"), lane("three")]
  const polled = await submit(url, "polled", "?async=true")
  const { poll_url: path }: { readonly poll_url: string } = JSON.parse(await polled.text())
  // The first audits warm up what the others use.
  await pause(WARM_UP_MS)
  await fetch(`${url}/metrics`)
  const { stdout } = await promisify(execFile)(process.execPath, [
    POLLERS,
    url + path,
    String(CLIENTS),
    String(SECONDS)
  ])
  const { p99 }: Latencies = JSON.parse(stdout)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  crew.going = false
  await Promise.all(lanes)
  const [, delay] = /docgauge_event_loop_delay_seconds\{[^}]*percentile="99"[^}]*\} (\S+)/.exec(metrics) ?? []
  return { p99, delayP99: Math.max(0, Number(delay) * 1_000 - RESOLUTION), audits: crew.audits }
}

const submit = (url: string, site: string, query: string): Promise<Response> =>
  fetch(`${url}/audit${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(site) })
  })
