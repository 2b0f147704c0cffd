import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import type { PostgresCluster } from "../harness/PostgresCluster.ts"
import { childrenOf, killNow } from "./ProcessTree.ts"
import type { Siege } from "./Siege.ts"
import type { TcpProxy } from "./TcpProxy.ts"

/** What can go wrong: brings it about, and puts it right again. Whatever it draws comes from `draw`, from 0 up to 1. */
export interface Fault {
  readonly name: string
  /** Faults of one place do not overlap. */
  readonly place: string
  readonly happen: (draw: () => number) => Promise<void>
}

const AUDIT_PROCESS = "AuditProcess"

/** Ids of the audit processes of a service. */
export const auditProcessesOf = (siege: Siege, index: number): ReadonlyArray<number> =>
  childrenOf(siege.service(index).child.pid ?? 0, AUDIT_PROCESS)

/** What can happen to the processes of a service. */
export const processFaults = (siege: Siege, index: number): ReadonlyArray<Fault> => {
  const place = `service ${index}`
  const killAudits = (draw: () => number, share: number): void => {
    for (const pid of auditProcessesOf(siege, index)) if (draw() < share) killNow(pid)
  }
  return [
    {
      name: `service ${index} is killed`,
      place,
      happen: async () => {
        await siege.service(index).kill()
        await siege.supervise(index)
      }
    },
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
    { name: `some audit processes of service ${index} are killed`, place, happen: async (draw) => killAudits(draw, 0.5) },
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
      await postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docgauge'")
    }
  }
]
