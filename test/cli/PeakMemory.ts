import { readFileSync } from "node:fs"
import process from "node:process"
import { isMainThread } from "node:worker_threads"

/*
 * Loaded before a program (`node --import`), it tells on stderr, as the last thing, how much memory the process took at
 * its peak: `peak-memory-mb: 123`.
 */

/** Linux counts the memory of the parent process among `maxRSS`, but not here. */
const peakKilobytes = (): number => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

if (isMainThread)
  process.on("exit", () => process.stderr.write(`peak-memory-mb: ${Math.round(peakKilobytes() / 1024)}\n`))
