/**
 * `node test/bench/paced.ts URL RATE SECONDS CONNECTIONS [JSON]`: asks RATE times a second at an even pace, whether or
 * not what was asked before has been answered (autocannon, told a rate, sends each second's requests at its beginning, as
 * fast as they go). Sends JSON by POST where there is any. Prints p50, p99 and max of what the answers took, in JSON,
 * each counted from the moment when its request was due. The first second is for warming up, and does not count.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { latenciesOf } from "./measure/Latencies.ts"

const [url = "", rate = "1", seconds = "1", connections = "1", json] = process.argv.slice(2)

const { hostname, host, pathname, port, search } = new URL(url)

const REQUEST =
  json === undefined
    ? `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    : `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`

const HEAD_END = "\r\n\r\n"

/** The bytes of the answer that begins here, or `null` while its head has not arrived. */
const sizeOf = (bytes: Buffer): number | null => {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end + 2)) ?? []
  if (length === undefined) throw new Error("an answer came without its length")
  return end + HEAD_END.length + Number(length)
}

/** Moments at which requests that are not sent yet were due. */
const waiting: Array<number> = []
const idle: Array<(due: number) => void> = []
const took: Array<{ readonly due: number; readonly millis: number }> = []

const lead = (socket: Socket): void => {
  let arrived: Buffer = Buffer.alloc(0)
  let since = 0
  const send = (due: number): void => {
    since = due
    socket.write(REQUEST)
  }
  socket.on("data", (chunk) => {
    arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk])
    const size = sizeOf(arrived)
    if (size === null || arrived.length < size) return
    arrived = Buffer.alloc(0)
    took.push({ due: since, millis: performance.now() - since })
    const next = waiting.shift()
    if (next === undefined) idle.push(send)
    else send(next)
  })
  idle.push(send)
}

const sockets = await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, "connect")
    lead(socket)
    return socket
  })
)

const WARM_UP_SECONDS = 1

const begun = performance.now()
const all = Math.floor(Number(rate) * (WARM_UP_SECONDS + Number(seconds)))
const gap = 1_000 / Number(rate)
for (let asked = 0; asked < all; await pause(1)) {
  for (; asked < all && begun + asked * gap <= performance.now(); asked++) {
    const due = begun + asked * gap
    const send = idle.pop()
    if (send === undefined) waiting.push(due)
    else send(due)
  }
}
while (took.length < all) await pause(10)
for (const socket of sockets) socket.destroy()
const counted = took.filter(({ due }) => due >= begun + WARM_UP_SECONDS * 1_000)
console.log(JSON.stringify(latenciesOf(counted.map(({ millis }) => millis))))
