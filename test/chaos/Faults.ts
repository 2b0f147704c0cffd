import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { KILLED } from "../../engine/process/TemporaryFiles.ts"
import { TOO_MANY_ATTEMPTS } from "../../engine/schedule/Auditor.ts"
import { HEARTBEAT_SECONDS } from "../../engine/schedule/queue/JobEngine.ts"
import { random } from "../bench/data/Corpus.ts"
import type { PostgresCluster } from "../harness/PostgresCluster.ts"
import type { ObjectFault, S3Server } from "../store/blobs/S3Server.ts"
import { endSessions, takeConnections } from "./Connections.ts"
import { childrenOf, isAlive, killNow } from "./ProcessTree.ts"
import type { Siege } from "./Siege.ts"
import type { TcpProxy } from "./TcpProxy.ts"

/** What can go wrong: brings it about, and puts it right again. Whatever it draws comes from `draw`, from 0 up to 1. */
export interface Fault {
  readonly name: string
  /** Faults of one place do not overlap. */
  readonly place: string
  readonly happen: (draw: () => number) => Promise<void>
}

/** How runs may end that met with faults: their processes died under them each time. */
export const FAULT_ERRORS = [
  TOO_MANY_ATTEMPTS.message,
  "The audit failed twice because of an error in this service.",
  `The audit was stopped because ${KILLED}`
]

const AUDIT_PROCESS = "AuditProcess"

/** Ids of the audit processes of a service. */
export const auditProcessesOf = (siege: Siege, index: number): ReadonlyArray<number> =>
  childrenOf(siege.service(index).child.pid ?? 0, AUDIT_PROCESS)

/** How long a process is stopped, in milliseconds, by what is drawn. */
export type StoppedMs = (draw: () => number) => number

/** Long enough for another process to take over what this one has. */
export const longerThanClaim: StoppedMs = (draw) => HEARTBEAT_SECONDS * 1_000 + 5_000 + 6_000 * draw()

/** Stops or continues a process, unless it has ended. */
const signal = (pid: number, name: "SIGSTOP" | "SIGCONT"): void => {
  if (isAlive(pid)) process.kill(pid, name)
}

const kill = (siege: Siege, index: number): Fault => ({
  name: `service ${index} is killed`,
  place: `service ${index}`,
  happen: async () => {
    await siege.service(index).kill()
    await siege.supervise(index)
  }
})

/** What can happen to a process of one role among many: other processes take over its work. */
export const roleFaults = (siege: Siege, index: number, stoppedMs: StoppedMs): ReadonlyArray<Fault> => {
  const place = `service ${index}`
  const stop = async (pids: ReadonlyArray<number>, millis: number): Promise<void> => {
    for (const pid of pids) signal(pid, "SIGSTOP")
    await pause(millis)
    for (const pid of pids.toReversed()) signal(pid, "SIGCONT")
  }
  return [
    kill(siege, index),
    {
      name: `service ${index} is stopped for longer than a claim lasts, its audit processes are not, and goes on`,
      place,
      happen: (draw) => stop([siege.service(index).child.pid ?? 0], stoppedMs(draw))
    },
    {
      name: `service ${index} is stopped for longer than a claim lasts with its audit processes, and goes on`,
      place,
      happen: (draw) => stop([siege.service(index).child.pid ?? 0, ...auditProcessesOf(siege, index)], stoppedMs(draw))
    },
    { name: `service ${index} is deployed`, place, happen: () => siege.deploy(index) }
  ]
}

/** What can happen to the audit processes of a service. */
export const auditFaults = (siege: Siege, index: number): ReadonlyArray<Fault> => [
  {
    name: `some audit processes of service ${index} are killed`,
    place: `service ${index}`,
    happen: async (draw) => {
      for (const pid of auditProcessesOf(siege, index)) if (draw() < 0.5) killNow(pid)
    }
  }
]

/** What can happen to the processes of a service. */
export const processFaults = (siege: Siege, index: number): ReadonlyArray<Fault> => {
  const place = `service ${index}`
  const killAudits = (draw: () => number, share: number): void => {
    for (const pid of auditProcessesOf(siege, index)) if (draw() < share) killNow(pid)
  }
  return [
    kill(siege, index),
    {
      name: `service ${index} is told to end`,
      place,
      happen: async () => {
        await siege.service(index).end()
        await siege.supervise(index)
      }
    },
    {
      name: `service ${index} is stopped, and goes on`,
      place,
      happen: async (draw) => {
        const pid = siege.service(index).child.pid ?? 0
        process.kill(pid, "SIGSTOP")
        await pause(25_000 * draw())
        process.kill(pid, "SIGCONT")
      }
    },
    {
      name: `some audit processes of service ${index} are killed`,
      place,
      happen: async (draw) => killAudits(draw, 0.5)
    },
    { name: `all audit processes of service ${index} are killed`, place, happen: async (draw) => killAudits(draw, 1) }
  ]
}

/** What can happen between a service and its database. */
export const lineFaults = (proxy: TcpProxy, index: number): ReadonlyArray<Fault> => {
  const during = async (draw: () => number): Promise<void> => {
    await pause(25_000 * draw() ** 2)
    proxy.open()
  }
  return [
    {
      name: `line ${index} is cut`,
      place: `line ${index}`,
      happen: (draw) => {
        proxy.cut()
        return during(draw)
      }
    },
    {
      name: `line ${index} stalls`,
      place: `line ${index}`,
      happen: (draw) => {
        proxy.stall()
        return during(draw)
      }
    }
  ]
}

/** A line that is only slow. */
export const slowLine = (proxy: TcpProxy, index: number): Fault => ({
  name: `line ${index} is slow`,
  place: `line ${index}`,
  happen: async (draw) => {
    proxy.delay(5 + 100 * draw() ** 2)
    await pause(20_000 * draw())
    proxy.open()
  }
})

/** Takes all connections that the database server has. */
export const takesConnections = (postgres: PostgresCluster): Fault => ({
  name: "all connections of PostgreSQL are taken",
  place: "postgres",
  happen: async (draw) => {
    const { ending, giveBack } = await takeConnections(postgres, Math.round(4 + 10 * draw()))
    await ending.finally(giveBack)
  }
})

const OBJECT_FAULTS: ReadonlyArray<ObjectFault> = [
  "answers_500",
  "answers_slowly",
  "hangs",
  "refuses_connections",
  "breaks_off_uploads",
  "changes_uploads",
  "refuses_expired_credentials"
]

/** What can happen to the object store. */
export const objectFaults = (server: S3Server): ReadonlyArray<Fault> =>
  OBJECT_FAULTS.map((fault) => ({
    name: `the object store ${fault.replaceAll("_", " ")}`,
    place: "objects",
    happen: async (draw) => {
      server.fault(fault)
      await pause(25_000 * draw())
      server.fault("none")
    }
  }))

/** What can happen to the database server. */
export const serverFaults = (postgres: PostgresCluster): ReadonlyArray<Fault> => [
  { name: "PostgreSQL is restarted", place: "postgres", happen: () => postgres.restart("fast") },
  {
    name: "PostgreSQL crashes and is away for a while",
    place: "postgres",
    happen: async (draw) => {
      await postgres.stop("immediate")
      await pause(30_000 * draw())
      await postgres.start()
    }
  },
  {
    name: "sessions are ended",
    place: "postgres",
    happen: async () => {
      await endSessions(postgres)
    }
  }
]

/** Faults at once, unless told otherwise. */
const HANDS = 2

export const logFault = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** The faults in an order that is drawn again each time that all have happened. */
const makeDeck = (faults: ReadonlyArray<Fault>, draw: () => number): ((busy: ReadonlySet<string>) => Fault | null) => {
  let left: Array<Fault> = []
  return (busy) => {
    if (left.length === 0)
      left = faults
        .map((fault) => ({ fault, rank: draw() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ fault }) => fault)
    const next = left.findIndex(({ place }) => !busy.has(place))
    return next < 0 ? null : (left.splice(next, 1)[0] ?? null)
  }
}

/** Lets faults happen in random order until the minutes are over, `hands` at once; all are put right when it returns. */
export const wreak = async (
  faults: ReadonlyArray<Fault>,
  seed: number,
  minutes: number,
  hands: number = HANDS
): Promise<void> => {
  const until = performance.now() + minutes * 60_000
  const busy = new Set<string>()
  const take = makeDeck(faults, random(seed - 1))
  const hand = async (draw: () => number): Promise<void> => {
    while (performance.now() < until) {
      await pause(4_000 * draw())
      const fault = take(busy)
      if (fault === null) continue
      busy.add(fault.place)
      logFault(fault.name)
      await fault.happen(draw)
      busy.delete(fault.place)
    }
  }
  await Promise.all(Array.from({ length: hands }, (_, index) => hand(random(seed + index))))
}
