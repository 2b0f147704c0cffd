import process from "node:process"

/** Milliseconds that this thread has computed: on a busy machine, too, as many as on a quiet one. */
export const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}
