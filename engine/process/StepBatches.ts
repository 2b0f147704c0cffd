import type { ChildMessage } from "./AuditTask.ts"

/**
 * Minimum interval between messages with steps, in milliseconds: an audit has about 80 steps, and each message costs both sides
 * 0.1 ms.
 */
const INTERVAL_MS = 100

/**
 * Sends the messages of an audit process, steps in batches: the first at once, later ones together. Other messages are sent at
 * once, after the steps before them. If a process is killed, the steps of its last 100 ms are lost.
 */
export const inBatches = (send: (message: ChildMessage) => void): ((message: ChildMessage) => void) => {
  let requested = 0
  let measured: ChildMessage | null = null
  let fetching: ChildMessage | null = null
  let timer: NodeJS.Timeout | null = null

  const flush = (): void => {
    if (requested > 0) send({ _tag: "Requested", count: requested })
    if (measured !== null) send(measured)
    if (fetching !== null) send(fetching)
    requested = 0
    measured = null
    fetching = null
  }
  const isEmpty = (): boolean => requested === 0 && measured === null && fetching === null
  const batch = (): void => {
    timer = null
    if (isEmpty()) return
    flush()
    timer = setTimeout(batch, INTERVAL_MS)
  }

  return (message) => {
    if (message._tag === "Requested") requested += message.count
    else if (message._tag === "Measured") measured = message
    else if (message._tag === "Fetching") fetching = message
    else {
      flush()
      return send(message)
    }
    if (timer === null) batch()
  }
}
