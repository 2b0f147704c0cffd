import { readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import type { ServiceProcess } from "../../harness/ServiceProcess.ts"
import { smallSite } from "../../harness/SmallSites.ts"

/** Megabytes that a process has in memory now. */
export const residentMb = (pid: number | undefined): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes ?? 0) / 1024
}

/** What memory came to. */
export interface Soak {
  /** After the start, nothing having been asked. */
  readonly idleMb: number
  /** After every tenth of the audits. */
  readonly series: ReadonlyArray<number>
  /** What the second half of the series has more than the quarter before it, as a share of that. */
  readonly growth: number
}

const AT_ONCE = 8
const TENTHS = 10

/** Audits of small sites, one after the other as far as a client can tell. */
export const soak = async (service: ServiceProcess, audits: number): Promise<Soak> => {
  const url = await service.url
  await pause(3_000)
  const idleMb = residentMb(service.child.pid)
  const series: Array<number> = []
  for (let done = 0; done < audits;) {
    const batch = Array.from({ length: Math.min(audits / TENTHS, audits - done) }, (_, index) => done + index)
    const lanes = Array.from({ length: AT_ONCE }, (_, lane) => batch.filter((index) => index % AT_ONCE === lane))
    await Promise.all(
      lanes.map(async (lane) => {
        for (const index of lane) await audit(url, index)
      })
    )
    done += batch.length
    series.push(residentMb(service.child.pid))
  }
  const [before, after] = [mean(series.slice(2, TENTHS / 2)), mean(series.slice(TENTHS / 2))]
  return { idleMb, series, growth: after / before - 1 }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const audit = async (url: string, index: number): Promise<void> => {
  const response = await fetch(`${url}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(index) })
  })
  await response.text()
  if (response.status !== 200) throw new Error(`audit ${index} was answered with ${response.status}`)
}
