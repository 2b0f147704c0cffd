import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2"
import { createServer as createHttpsServer } from "node:https"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer as createTlsServer } from "node:tls"

/** A server on a loopback port of its own. */
export interface Loopback {
  readonly port: number
  /** Connections accepted so far. */
  readonly connections: () => number
  /** Connections open now. */
  readonly open: () => number
  readonly close: () => Promise<void>
}

const listening = async (server: Server): Promise<Loopback> => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on("connection", (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  return {
    port: address.port,
    connections: () => connections,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

export const httpServer = (listener: RequestListener): Promise<Loopback> => listening(createHttpServer(listener))

export const httpsServer = (listener: RequestListener, certificate: Certificate): Promise<Loopback> =>
  listening(createHttpsServer({ key: certificate.key, cert: certificate.cert }, listener))

/** Speaks HTTP/2, and HTTP/1.1 only if it is told to: a client that offers no other is refused in the TLS handshake. */
export const http2Server = (
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  { cert, key }: Certificate,
  allowHTTP1 = false
): Promise<Loopback> => listening(createSecureServer({ key, cert, allowHTTP1 }, listener))

/** Agrees on one protocol in the TLS handshake, and then speaks whatever the handler writes. */
export const http2RawServer = (
  handler: (socket: Socket) => void,
  { cert, key }: Certificate,
  protocol = "h2"
): Promise<Loopback> => listening(createTlsServer({ key, cert, ALPNProtocols: [protocol] }, handler))

/** Speaks whatever the handler writes. */
export const tcpServer = (handler: (socket: Socket) => void): Promise<Loopback> => listening(createTcpServer(handler))

/** Sends these bytes to whatever is asked, and then does what `then` says. */
export const rawServer = (
  answer: string | Uint8Array,
  then: (socket: Socket) => void = () => undefined
): Promise<Loopback> =>
  tcpServer((socket) => {
    socket.once("data", () => socket.write(answer, () => then(socket)))
  })

/** PEM texts. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate for a name, and for all of `names`, made by openssl; one from the year 2020 where `expired`. */
export const certificateFor = (name: string, expired = false, names: ReadonlyArray<string> = [name]): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-tls-"))
  const openssl = (command: string): unknown =>
    execFileSync("openssl", command.split(" "), { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  try {
    writeFileSync(join(folder, "ca.conf"), caConfiguration(names))
    writeFileSync(join(folder, "index"), "")
    openssl(
      `req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out request.pem -subj /CN=${name}`
    )
    const dates = expired ? "-startdate 20200101000000Z -enddate 20200102000000Z" : "-days 2"
    openssl(`ca -config ca.conf -batch -notext -selfsign -keyfile key.pem -in request.pem ${dates} -out cert.pem`)
    return { key: readFileSync(join(folder, "key.pem"), "utf8"), cert: readFileSync(join(folder, "cert.pem"), "utf8") }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const caConfiguration = (names: ReadonlyArray<string>): string => `
[ca]
default_ca = self
[self]
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
basicConstraints = CA:TRUE
subjectAltName = ${names.map((name) => `DNS:${name}`).join(",")}
`
