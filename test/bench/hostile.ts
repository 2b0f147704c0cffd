import { cpus } from "node:os"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { HealthProbe } from "../hostile/HealthProbe.ts"
import { type HostileService, serveHostileSites, startHostileService } from "../hostile/HostileService.ts"
import { HARMLESS } from "../hostile/SiteNames.ts"
import { hostileSites } from "../hostile/sites/index.ts"
import { latenciesOf } from "./measure/Latencies.ts"
import { residentMb } from "./measure/ServiceMemory.ts"
import { held, table } from "./measure/Table.ts"

/*
 * `npm run bench:hostile`: what the neighbours of hostile sites notice. `-- --only NAME,NAME` for some of the sites, `--at-once 3` for
 * another number of audits beside the harmless one. Run it on a machine that does nothing else.
 */

const { values: options } = parseArgs({ options: { only: { type: "string" }, "at-once": { type: "string", default: "3" } } })

/** `/healthz` in milliseconds; a harmless audit as a multiple of its time alone. */
const GOALS = { p99: 50, max: 250, beside: 3 }

const ALONE = 10
const HARMLESS_PAUSE_MS = 250

const median = (values: ReadonlyArray<number>): number => latenciesOf(values).p50

/** The harmless audit, one after the other, for as long as `going` says. */
const harmlessTimes = async (service: HostileService, going: (times: number) => boolean): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  while (going(times.length)) {
    const { milliseconds, status } = await service.audit(HARMLESS)
    if (status !== "done") throw new Error(`the harmless audit ended as ${status}`)
    times.push(milliseconds)
    await pause(HARMLESS_PAUSE_MS)
  }
  return times
}

/** Audits all of them, several at a time. */
const auditAll = async (service: HostileService, names: ReadonlyArray<string>, atOnce: number): Promise<void> => {
  const waiting = [...names]
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { milliseconds, status } = await service.audit(name)
      console.log(`${name.padEnd(28)} ${status.padEnd(6)} ${(milliseconds / 1_000).toFixed(1).padStart(5)} s`)
    }
  }))
}

const main = async (): Promise<void> => {
  const names = options.only?.split(",") ?? Object.keys(hostileSites)
  const atOnce = Number(options["at-once"])
  const server = await serveHostileSites()
  const service = await startHostileService(server, atOnce + 1, { DOCGAUGE_TARGET_WINDOW: "off" })
  try {
    // The first audit of a process loads what the others need.
    await service.audit(HARMLESS)
    const alone = await harmlessTimes(service, (times) => times < ALONE)
    const probe = new HealthProbe(service.url, 20)
    let over = false
    const beside = harmlessTimes(service, () => !over)
    await auditAll(service, names, atOnce)
    over = true
    const besideTimes = await beside
    const health = await probe.stop()
    const { max, p50, p99 } = latenciesOf(health.map(({ milliseconds }) => milliseconds))
    console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
    console.log(table([`${names.length} hostile sites, ${atOnce} at once`, ""], [
      ["/healthz: answers", String(health.length)],
      ["/healthz: not 200", String(health.filter(({ status }) => status !== 200).length)],
      ["/healthz: median, ms", p50.toFixed(1)],
      ["/healthz: p99, ms", held(p99, GOALS.p99, 1)],
      ["/healthz: longest, ms", held(max, GOALS.max, 0)],
      ["harmless audit alone, median, ms", median(alone).toFixed(0)],
      ["harmless audit beside them, median, ms", median(besideTimes).toFixed(0)],
      ["harmless audit beside them, longest, ms", latenciesOf(besideTimes).max.toFixed(0)],
      ["times as long, median", held(median(besideTimes) / median(alone), GOALS.beside, 1)],
      ["memory of the service's own process at the end, MB", residentMb(service.service.child.pid).toFixed(0)]
    ]))
  } finally {
    await service.remove()
    server.child.kill()
  }
}

await main()
