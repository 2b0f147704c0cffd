import { once } from "node:events"
import { createServer, request as httpRequest, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect, type Socket } from "node:net"

/** A forward proxy on a loopback port, for CONNECT and for plain HTTP. */
export interface ForwardProxy {
  /** Without user info. */
  readonly url: string
  /** What it was asked for, in order: `CONNECT docs.example.com:443`, `GET http://docs.example.com/`. */
  readonly asked: ReadonlyArray<string>
  /** Logins that it was sent: the values of `Proxy-Authorization`. */
  readonly logins: ReadonlySet<string>
  readonly close: () => Promise<void>
}

export interface ForwardProxyOptions {
  /** Where a host leads, as the proxy's own name server would have it. */
  readonly leadsTo: (host: string) => { readonly port: number } | null
  /** The login that it asks for, as `user:password`. */
  readonly login?: string
  /** Whether it ends each connection instead of answering a CONNECT. */
  readonly drops?: boolean
  /** With which it speaks TLS itself, as `https://localhost`. */
  readonly certificate?: { readonly key: string; readonly cert: string }
}

/** Starts one. It looks no names up: everything leads to a port of loopback, or to a 502. */
export const serveForwardProxy = async ({
  certificate,
  drops = false,
  leadsTo,
  login
}: ForwardProxyOptions): Promise<ForwardProxy> => {
  const asked: Array<string> = []
  const logins = new Set<string>()
  const sockets = new Set<Socket>()
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`
  const isAllowed = (authorization: string | undefined): boolean => {
    if (authorization !== undefined) logins.add(authorization)
    return authorization === expected
  }

  const forward: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const url = URL.parse(request.url ?? "")
    const target = url === null ? null : leadsTo(url.hostname)
    const refused = !isAllowed(request.headers["proxy-authorization"]) ? 407 : target === null ? 502 : null
    if (url === null || target === null || refused !== null) {
      // Some proxies quote the request on their error pages.
      response
        .writeHead(refused ?? 400, {
          "proxy-authenticate": "Basic",
          "x-request": request.headers["proxy-authorization"] ?? ""
        })
        .end(`${JSON.stringify(request.headers)} ${login}`)
      return
    }
    const { "proxy-authorization": _, ...headers } = request.headers
    const onward = httpRequest(
      { host: "127.0.0.1", port: target.port, method: request.method, path: url.pathname + url.search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    )
    onward.on("error", () => response.destroy())
    request.pipe(onward)
  }
  const server = certificate === undefined ? createServer(forward) : createTlsServer(certificate, forward)
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
  })
  server.on("connect", (request, socket: Socket, head: Buffer) => {
    asked.push(`CONNECT ${request.url}`)
    if (drops) return void socket.destroy()
    const target = leadsTo((request.url ?? "").split(":")[0] ?? "")
    const refused = !isAllowed(request.headers["proxy-authorization"])
      ? "407 Proxy Authentication Required"
      : target === null
        ? "502 Bad Gateway"
        : null
    if (target === null || refused !== null) {
      socket.end(`HTTP/1.1 ${refused}\r\nProxy-Authenticate: Basic\r\n\r\n`)
      return
    }
    const onward = connect(target.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    sockets.add(onward)
    onward.on("error", () => socket.destroy()).on("close", () => sockets.delete(onward))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  return {
    url: certificate === undefined ? `http://127.0.0.1:${address.port}` : `https://localhost:${address.port}`,
    asked,
    logins,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}
