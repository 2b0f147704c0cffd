import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startControl } from "../hostile/Control.ts"
import { type HealthAnswer, HealthProbe } from "../hostile/HealthProbe.ts"
import { type HostileService, serveHostileSites, startHostileService } from "../hostile/HostileService.ts"
import { HARMLESS } from "../hostile/SiteNames.ts"
import { hostileSites } from "../hostile/sites/index.ts"
import { latenciesOf } from "./measure/Latencies.ts"
import { residentMb } from "./measure/ServiceMemory.ts"
import { held, table } from "./measure/Table.ts"

/*
 * `npm run bench:hostile`: what the neighbours of hostile sites, and of an attack by client metadata documents, notice. `-- --only NAME,NAME`
 * for some of the sites, `--at-once 3` for another number of audits beside the harmless one. Run it on a machine that does nothing else.
 */

const { values: options } = parseArgs({
  options: { only: { type: "string" }, "at-once": { type: "string", default: "3" } }
})

/**
 * `/healthz` as a multiple of what a bare Node server of the same priority takes in the same run, so that a busy machine is no finding; a
 * harmless audit as a multiple of its time alone. On a quiet machine /healthz takes at most 50 ms in the 99th percentile and 250 ms at most.
 */
const GOALS = { p99: 3, max: 10, beside: 3 }

const ALONE = 10
const HARMLESS_PAUSE_MS = 250

const times = (answers: ReadonlyArray<HealthAnswer>): ReadonlyArray<number> =>
  answers.map(({ milliseconds }) => milliseconds)

const median = (values: ReadonlyArray<number>): number => latenciesOf(values).p50

/** The harmless audit, one after the other, for as long as `going` says. */
const harmlessTimes = async (
  service: HostileService,
  going: (times: number) => boolean
): Promise<ReadonlyArray<number>> => {
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
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const { milliseconds, status } = await service.audit(name)
        console.log(`${name.padEnd(28)} ${status.padEnd(6)} ${(milliseconds / 1_000).toFixed(1).padStart(5)} s`)
      }
    })
  )
}

interface AttackReady {
  readonly port: number
  readonly authority: string
  readonly domains: ReadonlyArray<string>
}

/** The attack in a process of its own, which waits for the service's URL, and what the service needs to reach its documents. */
const readyAttack = async (
  folder: string
): Promise<{ readonly child: ChildProcess; readonly env: Readonly<Record<string, string>> }> => {
  const child = fork(join(import.meta.dirname, "../hostile/documentAttack.ts"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const { authority, domains, port } = await new Promise<AttackReady>((resolve) =>
    child.once("message", (ready: AttackReady) => resolve(ready))
  )
  const file = join(folder, "authority.pem")
  writeFileSync(file, authority)
  return {
    child,
    env: {
      NODE_EXTRA_CA_CERTS: file,
      DOCGAUGE_TRUST_PROXY: "1",
      DOCGAUGE_RESOLVE: domains.map((domain) => `${domain}:443:127.0.0.1:${port}`).join(",")
    }
  }
}

const main = async (): Promise<void> => {
  const names = options.only?.split(",") ?? Object.keys(hostileSites)
  const atOnce = Number(options["at-once"])
  const folder = mkdtempSync(join(tmpdir(), "docgauge-bench-"))
  const attack = await readyAttack(folder)
  const control = await startControl()
  const server = await serveHostileSites()
  const service = await startHostileService(server, atOnce + 1, { ...attack.env, DOCGAUGE_TARGET_WINDOW: "off" })
  try {
    // The first audit of a process loads what the others need.
    await service.audit(HARMLESS)
    const alone = await harmlessTimes(service, (times) => times < ALONE)
    const probe = new HealthProbe(service.url, { everyMs: 20 })
    const controlProbe = new HealthProbe(control.url, { everyMs: 20 })
    let over = false
    const beside = harmlessTimes(service, () => !over)
    attack.child.send(service.url)
    await auditAll(service, names, atOnce)
    over = true
    const besideTimes = await beside
    const health = await probe.stop()
    const { max, p50, p99 } = latenciesOf(times(health))
    const bare = latenciesOf(times(await controlProbe.stop()))
    console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
    console.log(
      table(
        [`${names.length} hostile sites, ${atOnce} at once, and an attack by documents`, ""],
        [
          ["/healthz: answers", String(health.length)],
          ["/healthz: not 200", String(health.filter(({ status }) => status !== 200).length)],
          ["/healthz: median, ms", p50.toFixed(1)],
          ["/healthz: p99, ms", p99.toFixed(1)],
          ["/healthz: longest, ms", max.toFixed(0)],
          ["a bare server: p99, ms", bare.p99.toFixed(1)],
          ["a bare server: longest, ms", bare.max.toFixed(0)],
          ["times as long, p99", held(p99 / bare.p99, GOALS.p99, 1)],
          ["times as long, longest", held(max / bare.max, GOALS.max, 1)],
          ["harmless audit alone, median, ms", median(alone).toFixed(0)],
          ["harmless audit beside them, median, ms", median(besideTimes).toFixed(0)],
          ["harmless audit beside them, longest, ms", latenciesOf(besideTimes).max.toFixed(0)],
          ["times as long, median", held(median(besideTimes) / median(alone), GOALS.beside, 1)],
          ["memory of the service's own process at the end, MB", residentMb(service.service.child.pid).toFixed(0)]
        ]
      )
    )
  } finally {
    await service.remove()
    server.child.kill()
    control.child.kill()
    attack.child.kill()
    rmSync(folder, { recursive: true })
  }
}

await main()
