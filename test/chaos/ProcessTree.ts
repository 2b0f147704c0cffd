import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import process from "node:process"

/** Linux only: `/proc` tells which process started which. */
const contentOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // It ended meanwhile.
    return ""
  }
}

/** The id of the process that started this one; the name before it, in parentheses, may hold anything. */
const parentOf = (pid: string): number => Number(contentOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1])

/** Ids of the processes that `parent` started and whose command line holds `word`. */
export const childrenOf = (parent: number, word: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter(
      (name) => /^\d+$/.test(name) && parentOf(name) === parent && contentOf(`/proc/${name}/cmdline`).includes(word)
    )
    .map(Number)

/** Whether the process is there, and not only waiting to be reaped. */
export const isAlive = (pid: number): boolean => {
  const state = contentOf(`/proc/${pid}/stat`).split(") ").at(-1)?.charAt(0) ?? ""
  return state !== "" && state !== "Z"
}

/** Ends a process as the kernel does when memory is short. One that has ended already is left alone. */
export const killNow = (pid: number): void => {
  if (isAlive(pid)) process.kill(pid, "SIGKILL")
}

/** The process that holds the TCP connection from this local port on loopback; `null` where there is none. */
export const processBehind = (port: number, among: ReadonlyArray<number>): number | null => {
  const hex = port.toString(16).toUpperCase().padStart(4, "0")
  const rows = contentOf("/proc/net/tcp")
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
  const inode = rows.find(([, local, remote]) => local?.endsWith(`:${hex}`) === true && remote !== "00000000:0000")?.[9]
  return among.find((pid) => inode !== undefined && socketsOf(pid).includes(`socket:[${inode}]`)) ?? null
}

const socketsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  } catch {
    return []
  }
}
