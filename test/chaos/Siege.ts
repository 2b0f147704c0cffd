import { setTimeout as pause } from "node:timers/promises"
import { expect } from "vitest"
import { random } from "../bench/data/Corpus.ts"
import { Crowd } from "../harness/Crowd.ts"
import { freePort } from "../harness/port/FreePort.ts"
import { readLedger } from "../harness/Ledger.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"

/** Claims of processes that were killed have to run out, and what they left behind has to be audited, on a busy machine too. */
const DRAIN_MS = 300_000

/** Milliseconds that runs that no client waits for have after that. */
const LEFT_MS = 60_000

/** How an audit ends that a busy machine gives too little: it is over, and not lost. */
const TOO_SLOW = /^The audit was stopped because it took longer than \d+ seconds\.$/

/** Requests to each domain are counted, so that a settlement that was left out shows; more than the sites are ever sent. */
const COUNTED = { DOCGAUGE_HOST_BUDGET: "1000000/1h" }

/** A service process: its database, as `DOCGAUGE_DATABASE_URL` takes it, and whatever else it is told. */
export interface BesiegedService {
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  /** The first file of the build that is started next; that of this tree unless given. */
  readonly program?: () => string
  /** What each of its processes is told besides. */
  readonly each?: () => Readonly<Record<string, string>>
}

/** What is done to services, and who uses them meanwhile. */
export interface SiegeOptions {
  /** Processes on the same database, maybe by different ways. */
  readonly services: ReadonlyArray<BesiegedService>
  /** The same draws every time. */
  readonly seed: number
  readonly clients: number
  /** How many sites there are to ask for. */
  readonly sites: number
  /** How many of the first services clients use; all unless given. */
  readonly asked?: number
  /** As `CrowdOptions` has them. */
  readonly mostWaiting?: number
  readonly networks?: number
  readonly refusedBy?: ReadonlySet<string>
}

/** Services that faults are done to, each at an address that lasts until it is deployed again, and the clients that go on using them. */
export class Siege {
  readonly crowd: Crowd
  /** Draws from 0 up to 1. */
  readonly draw: () => number
  readonly services: Array<ServiceProcess>
  /** All processes so far, those that have ended, too. */
  readonly started: Array<ServiceProcess> = []
  readonly #start: (index: number) => ServiceProcess
  readonly #ports: Array<number>

  private constructor(options: SiegeOptions, ports: Array<number>) {
    this.draw = random(options.seed)
    this.#ports = ports
    this.#start = (index) => {
      const { database = "", each = () => ({}), env = {}, program } = options.services[index] ?? {}
      const service = new ServiceProcess({
        program: program?.() ?? PROGRAM,
        env: {
          ...LIMITLESS,
          ...COUNTED,
          ...env,
          ...each(),
          PORT: String(ports[index]),
          DOCGAUGE_DATABASE_URL: database
        }
      })
      this.started.push(service)
      return service
    }
    this.services = ports.map((_, index) => this.#start(index))
    const chosen = random(options.seed + 1)
    this.crowd = new Crowd({
      address: () => this.address(Math.floor(chosen() * (options.asked ?? ports.length))),
      random: this.draw,
      clients: options.clients,
      sites: options.sites,
      ...(options.mostWaiting === undefined ? {} : { mostWaiting: options.mostWaiting }),
      ...(options.networks === undefined ? {} : { networks: options.networks }),
      ...(options.refusedBy === undefined ? {} : { refusedBy: options.refusedBy })
    })
  }

  /** Starts the services one after the other, and waits until they listen. */
  static async lay(options: SiegeOptions): Promise<Siege> {
    const ports = await Promise.all(options.services.map(() => freePort()))
    const siege = new Siege(options, ports)
    await siege.listening()
    return siege
  }

  async listening(): Promise<void> {
    for (const service of this.services) await service.url
  }

  service(index = 0): ServiceProcess {
    const service = this.services[index]
    if (service === undefined) throw new Error(`there is no service ${index}`)
    return service
  }

  /** Where a service listens, or will once it runs again. */
  address(index: number): string {
    return `http://127.0.0.1:${this.#ports[index]}`
  }

  /** Kills a service at some moment: mostly while it works, sometimes while it starts. */
  async kill(index = 0): Promise<void> {
    if (this.draw() < 0.2) {
      await pause(1_000 * this.draw())
    } else {
      await this.service(index).url
      await pause(1_500 * this.draw())
    }
    await this.service(index).kill()
  }

  /** Waits until clients see one more report: a slow machine gets that far, too. */
  async oneMoreDone(): Promise<void> {
    const before = this.crowd.done
    for (const end = Date.now() + DRAIN_MS; this.crowd.done === before; await pause(50)) {
      if (Date.now() > end) throw new Error(`${before} runs are done, and none was since`)
    }
  }

  again(index = 0): void {
    this.services[index] = this.#start(index)
  }

  /** Starts a service again until it listens, as a supervisor does: without its database it ends at once. */
  async supervise(index: number): Promise<void> {
    for (;;) {
      this.again(index)
      try {
        await this.service(index).url
        return
      } catch {
        await pause(1_000)
      }
    }
  }

  /** Starts another process at another address, and ends the old one once that listens; both use the same folder for archives meanwhile. */
  async deploy(index: number): Promise<void> {
    const old = this.service(index)
    this.#ports[index] = await freePort()
    await this.supervise(index)
    const { code } = await old.end()
    if (code !== 0)
      this.crowd.broken.push(`a process that was replaced ended with ${code}: ${old.lines.slice(-5).join("\n")}`)
  }

  /** Lets everything come to its end, then does what is left to do while the services run, and ends them. */
  async settle(last: () => Promise<void> = async () => undefined): Promise<void> {
    await this.listening()
    await this.crowd.leave()
    await this.crowd.awaitAll(DRAIN_MS)
    await this.crowd.lookAgain()
    await last()
    for (const service of this.services) expect((await service.end()).code).toBe(0)
  }

  /** Ends whatever is left; after a test that failed, too. */
  async raise(): Promise<void> {
    await this.crowd.leave()
    for (const service of this.started) await service.kill()
  }
}

/** Waits while services end the runs that no client of the crowd was told of: probes submit some, too, and a 202 may be lost. */
export const untilOver = async (database: string): Promise<void> => {
  for (const end = Date.now() + LEFT_MS; Date.now() < end; await pause(200)) {
    const {
      byStatus: { done: _done, error: _error, ...unfinished }
    } = await readLedger(database)
    if (Object.keys(unfinished).length === 0) return
  }
}

/** What must hold of a database once everything has come to its end. */
export interface Wholeness {
  /** Messages of runs that may have ended in error. */
  readonly errors?: ReadonlyArray<string>
  /** Small sites are all the same: whether every report has to have the same score, as where no audit met a fault. */
  readonly oneScore?: boolean
  /** Whether a site may be reported again and again, as where recent reports do not answer for long. */
  readonly again?: boolean
  /** Runs that were done, at least: something was under way. */
  readonly done: number
}

/** Nothing was lost, nothing is there twice, and what is in the database agrees with what clients were told. */
export const expectWhole = async (database: string, crowd: Crowd, expected: Wholeness): Promise<void> => {
  const { byStatus, errors, faults, scores, twice } = await readLedger(database)
  const { done = [], error = [], ...unfinished } = byStatus
  const over = new Set([...done, ...error])
  expect(crowd.broken).toEqual([])
  expect(faults).toEqual([])
  if (expected.again !== true) expect(twice).toEqual([])
  expect([...crowd.told.keys()].filter((id) => !over.has(id))).toEqual([])
  // Accepted, though the 202 did not come through.
  expect(unfinished).toEqual({})
  const allowed = (message: string): boolean => expected.errors?.includes(message) === true || TOO_SLOW.test(message)
  expect([...new Set(errors)].filter((message) => !allowed(message))).toEqual([])
  if (expected.oneScore === true) expect(scores).toHaveLength(1)
  expect(done.length).toBeGreaterThanOrEqual(expected.done)
}
