import { createServer, type IncomingMessage, type Server } from "node:http"

/** A JSON-RPC request of the suite, as far as fixtures are named in it. */
export interface FixtureRequest {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface FixtureProxyOptions {
  readonly port: number
  /** Where the MCP server answers. */
  readonly target: string
  readonly token: string
  /** The parameters that a request of the suite has here; those of the request itself where it names no fixture. */
  readonly translate: (request: FixtureRequest) => Readonly<Record<string, unknown>>
}

/**
 * Connects the conformance suite with the server: it adds a token, which the suite has no way to send, and replaces the
 * suite's fixtures, which no server offers of its own accord, with what this server has. Everything else passes unchanged.
 */
export const startFixtureProxy = ({ port, target, token, translate }: FixtureProxyOptions): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const pass = async (): Promise<void> => {
        const { body, name } = translated(await textOf(request), translate)
        const { connection: _, "content-length": __, host: ___, ...headers } = request.headers
        const passed = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
        // A page of the proxy's own origin stands for one of the server's.
        const origin = passed["origin"] === `http://127.0.0.1:${port}` ? { origin: new URL(target).origin } : {}
        // The newest revision repeats the name in a header; one that did not match before must not match now.
        const named = name !== null && passed["mcp-name"] === name.before ? { "mcp-name": name.after } : {}
        const answer = await fetch(target, {
          method: request.method ?? "GET",
          headers: { ...passed, ...origin, ...named, authorization: `Bearer ${token}` },
          ...(body === "" ? {} : { body })
        })
        const {
          "content-encoding": ____,
          "content-length": _____,
          "transfer-encoding": ______,
          ...sent
        } = Object.fromEntries(answer.headers)
        response.writeHead(answer.status, sent)
        for await (const piece of answer.body ?? []) response.write(piece)
        response.end()
      }
      pass().catch(() => response.destroy())
    })
    server.listen(port, "127.0.0.1", () => resolve(server))
  })

interface Translated {
  readonly body: string
  /** The name or URI that was replaced. */
  readonly name: { readonly before: string; readonly after: string } | null
}

const translated = (body: string, translate: FixtureProxyOptions["translate"]): Translated => {
  const message = parse(body)
  if (!isRecord(message) || typeof message["method"] !== "string" || !isRecord(message["params"]))
    return { body, name: null }
  const params = translate({ method: message["method"], params: message["params"] })
  if (params === message["params"]) return { body, name: null }
  return {
    body: JSON.stringify({ ...message, params }),
    name: { before: nameIn(message["params"]), after: nameIn(params) }
  }
}

const nameIn = ({ name, uri }: Readonly<Record<string, unknown>>): string =>
  typeof name === "string" ? name : typeof uri === "string" ? uri : ""

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const textOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString("utf8")
}
