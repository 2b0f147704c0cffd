import { readdirSync, readFileSync } from "node:fs"
import type { PostgresCluster } from "../../harness/PostgresCluster.ts"

/** Jiffies a second, on every Linux that Node runs on. */
const TICKS = 100

interface ProcessTimes {
  readonly parent: number
  readonly own: number
  /** Of children that it has waited for. */
  readonly waited: number
}

const timesOf = (pid: number): ProcessTimes | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /su, "")
      .split(" ")
      .map(Number)
    const [parent = 0, user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = [
      fields[1],
      fields[11],
      fields[12],
      fields[13],
      fields[14]
    ]
    return { parent, own: (user + system) / TICKS, waited: (waitedUser + waitedSystem) / TICKS }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** CPU seconds of a process and its children, ended ones included. Linux only (/proc). */
export const cpuOf = (root: number): number => {
  const all = readdirSync("/proc").flatMap((name) => {
    const times = /^\d+$/u.test(name) ? timesOf(Number(name)) : null
    return times === null ? [] : [{ pid: Number(name), times }]
  })
  const sum = (pid: number): number => {
    const times = all.find((one) => one.pid === pid)?.times
    return (
      (times?.own ?? 0) +
      (times?.waited ?? 0) +
      all.filter((one) => one.times.parent === pid).reduce((total, child) => total + sum(child.pid), 0)
    )
  }
  return sum(root)
}

/** The process of a cluster that all others of it are children of. */
export const mainProcessOf = async (postgres: PostgresCluster): Promise<number> =>
  Number((await postgres.execute("SELECT pg_read_file('postmaster.pid')")).split("\n")[0])
