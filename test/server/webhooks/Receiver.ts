import { createHmac } from "node:crypto"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { httpServer, type Loopback } from "../../evidence/LoopbackServers.ts"

/** A message as it arrived. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly id: string
  readonly type: string
}

export interface Receiver extends Loopback {
  readonly received: ReadonlyArray<Received>
}

/** A receiver of webhooks on loopback, which answers as `answer` says, with 204 unless it is given; `pages` are what it answers to a GET. */
export const receiver = async (
  answer: (message: Received, response: ServerResponse) => void = (_message, response) =>
    void response.writeHead(204).end(),
  pages: Readonly<Record<string, string>> = {}
): Promise<Receiver> => {
  const received: Array<Received> = []
  const server = await httpServer((request, response) => {
    const path = request.url ?? ""
    if (request.method === "GET") {
      const page = pages[path]
      const type = path.endsWith(".txt") ? "text/plain" : "text/html"
      return void response.writeHead(page === undefined ? 404 : 200, { "content-type": type }).end(page ?? "not here")
    }
    let body = ""
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece
    })
    request.on("end", () => {
      const { type } = JSON.parse(body) as { readonly type: string }
      const message = { path, headers: request.headers, body, id: String(request.headers["webhook-id"]), type }
      received.push(message)
      answer(message, response)
    })
  })
  return { ...server, received }
}

/** Whether the message has the signature of the secret, computed here from the specification. */
export const isSigned = ({ body, headers }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
}
