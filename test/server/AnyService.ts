import { createServer, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const MB = 1024 * 1024

/** Bytes after which an endless answer ends after all, so that a client which reads everything fails its test soon. */
const ENDLESS_BYTES = 256 * MB

/** A server on loopback that may be anything but a docgauge service. */
export interface AnyService {
  readonly url: string
  readonly stop: () => Promise<void>
}

export const anyService = async (listener: RequestListener): Promise<AnyService> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Answers with JSON that does not end, and calls `sent` with the bytes of each part that the client takes. */
export const answerForEver = (response: ServerResponse, sent: (bytes: number) => void): void => {
  const part = Buffer.alloc(MB, "x")
  let total = 0
  const goOn = (): void => {
    if (response.destroyed) return
    if (total >= ENDLESS_BYTES) return void response.end()
    total += part.byteLength
    response.write(part, (error) => {
      if (error !== null && error !== undefined) return
      sent(part.byteLength)
      goOn()
    })
  }
  response.writeHead(200, { "content-type": "application/json" }).write('{"error":"')
  goOn()
}
