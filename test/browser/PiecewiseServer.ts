import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** Hands on what a service answers, its pages a piece at a time. */
export interface PiecewiseServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Pieces that end anywhere: within a row, a tag or a number. */
const PIECES = 24

/** Longer than a browser takes to paint what there is. */
const PAUSE_MS = 25

/** What makes Chromium wait for the whole page; other browsers do not know it. */
const EXPECT = /<link rel="expect"[^>]*>/

export interface PiecewiseOptions {
  /** Whether a browser paints what has come, as those do that know no better. */
  readonly impatient?: boolean
}

/** A server before another, whose pages arrive as they do where the network is slow. */
export const startPiecewise = async (
  origin: string,
  { impatient = false }: PiecewiseOptions = {}
): Promise<PiecewiseServer> => {
  const answer = async ({ url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const whole = await fetch(origin + url, { redirect: "manual" })
    const type = whole.headers.get("content-type") ?? ""
    response.writeHead(whole.status, { "content-type": type })
    if (type.startsWith("text/html")) {
      const text = await whole.text()
      await inPieces(Buffer.from(impatient ? text.replace(EXPECT, "") : text), response)
    } else response.write(Buffer.from(await whole.arrayBuffer()))
    response.end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === "string") throw new Error("the server listens on no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const inPieces = async (body: Buffer, response: ServerResponse): Promise<void> => {
  const size = Math.ceil(body.length / PIECES)
  for (let at = 0; at < body.length; at += size) {
    if (at > 0) await pause(PAUSE_MS)
    response.write(body.subarray(at, at + size))
  }
}
