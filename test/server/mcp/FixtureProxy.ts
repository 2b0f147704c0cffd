import { createServer, type IncomingMessage, type Server } from "node:http"

export interface FixtureProxyOptions {
  readonly port: number
  /** Where the MCP server answers. */
  readonly target: string
  readonly token: string
  /** What a message of the suite means here. */
  readonly translate: (message: string) => string
}

/**
 * Stands between the conformance suite and the server: brings a token along, which the suite has no way to do, and leads
 * the suite's fixtures, which are named after no server's own tools, to ours. Everything else passes as it is.
 */
export const startFixtureProxy = ({ port, target, token, translate }: FixtureProxyOptions): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const pass = async (): Promise<void> => {
        const body = translate(await textOf(request))
        const { connection: _, "content-length": __, host: ___, ...headers } = request.headers
        const passed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
        // A page of the proxy's own origin stands for one of the server's.
        const origin = passed["origin"] === `http://127.0.0.1:${port}` ? { origin: new URL(target).origin } : {}
        const answer = await fetch(target, {
          method: request.method ?? "GET",
          headers: { ...passed, ...origin, authorization: `Bearer ${token}` },
          ...(body === "" ? {} : { body })
        })
        const { "content-encoding": ____, "content-length": _____, "transfer-encoding": ______, ...sent } = Object.fromEntries(answer.headers)
        response.writeHead(answer.status, sent)
        for await (const piece of answer.body ?? []) response.write(piece)
        response.end()
      }
      pass().catch(() => response.destroy())
    })
    server.listen(port, "127.0.0.1", () => resolve(server))
  })

const textOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString("utf8")
}
