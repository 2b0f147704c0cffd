import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { beforeAll, expect, it } from "vitest"
import { BytesReceived } from "../../../engine/evidence/http/ExchangeMeter.ts"
import { AskingNetwork, LookupTurns } from "../../../server/audits/LookupTurns.ts"
import { ClientDocuments, UNREADABLE } from "../../../server/oauth/OAuthClients.ts"
import { type Certificate, certificateFor, httpsServer } from "../../evidence/LoopbackServers.ts"
import { transportSites } from "../../hostile/sites/transport.ts"

const KB = 1024

/** What the documents of one site are fetched at most in a minute. */
const FETCHES = 10

/** Besides a document of 5 KB. */
const OVERHEAD = 128 * KB

/** What our buffers hold of bytes that were received and not parsed yet. */
const BUFFERED = 256 * KB

let certificate: Certificate
beforeAll(() => {
  certificate = certificateFor("*.example.com")
})

/** Reads the documents of a hostile site for clients of ten networks at once; with the bytes that the serving process received. */
const readDocuments = async (name: "interim" | "chunk-extensions" | "trailers") => {
  const site = transportSites[name]
  if (site === undefined) throw new Error(`no site is called ${name}`)
  const server = await httpsServer(site.listener, certificate)
  let received = 0
  const documents = ClientDocuments.layer({
    resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: server.port }],
    allowHttp: false,
    allowPrivate: false,
    authorities: [certificate.cert],
    userAgents: { docgauge: "d", browser: "b" }
  }).pipe(
    Layer.provide([
      LookupTurns.layer,
      Layer.succeed(BytesReceived, (bytes) => {
        received += bytes
      })
    ])
  )
  const asks = Effect.forEach(
    Array.from({ length: FETCHES }, (_, index) => index),
    (index) =>
      ClientDocuments.use(({ read }) => read(`https://app${index}.example.com/client.json`)).pipe(
        Effect.provideService(AskingNetwork, `192.0.${index}.0/24`)
      ),
    { concurrency: "unbounded" }
  )
  try {
    const reads = await Effect.runPromise(Effect.provide(asks, documents))
    return { reads, received, connections: server.connections() }
  } finally {
    await server.close()
  }
}

it.each(["interim", "chunk-extensions", "trailers"] as const)(
  "the documents of clients on a site that floods cost the serving process at most 128 KB each besides their bodies: %s",
  async (name) => {
    const { connections, reads, received } = await readDocuments(name)
    expect(reads).toEqual(Array.from({ length: FETCHES }, () => Result.fail(UNREADABLE)))
    expect(connections).toBeGreaterThanOrEqual(4)
    expect(received).toBeLessThan(FETCHES * (OVERHEAD + BUFFERED))
  }
)
