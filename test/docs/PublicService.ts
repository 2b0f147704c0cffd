import { request as httpRequest } from "node:http"
import { certificateFor, httpsServer } from "../evidence/LoopbackServers.ts"
import { startService, type TestService } from "../server/TestService.ts"

/**
 * The name under which the service is public in these tests; it is led to loopback, and nothing is looked up. A reserved
 * name (`.example`) would not do: an audit takes it for a placeholder, and rightly so.
 */
const PUBLIC_HOST = "docgauge.dev"
const PUBLIC_URL = `https://${PUBLIC_HOST}`
export const DOCS_URL = `${PUBLIC_URL}/docs`

/** The real service, and a TLS proxy in front of it as an operator has one. */
export interface PublicService {
  readonly service: TestService
  /** Of the proxy, on loopback. */
  readonly port: number
  /** PEM of the certificate, which signed itself. */
  readonly authority: string
  readonly stop: () => Promise<void>
}

/** Limits as the service has them: the pages tell of them. */
const USUAL_LIMITS = {
  DOCGAUGE_SUBMIT_RATE: "2/60s",
  DOCGAUGE_POLL_RATE: "30/30s",
  DOCGAUGE_BROWSE_RATE: "20/4s",
  DOCGAUGE_SITE_QUOTA: "1/24h",
  DOCGAUGE_HOST_BUDGET: "600/1h"
}

/** Starts both. Nothing is changed on the way through: status, headers and bytes are the service's own. */
export const startPublicService = async (): Promise<PublicService> => {
  const service = await startService({
    env: { ...USUAL_LIMITS, DOCGAUGE_BASE_URL: PUBLIC_URL, DOCGAUGE_TRUST_PROXY: "1" }
  })
  const certificate = certificateFor(PUBLIC_HOST)
  const front = await httpsServer((incoming, outgoing) => {
    const passed = httpRequest(
      {
        port: service.port,
        host: "127.0.0.1",
        method: incoming.method ?? "GET",
        path: incoming.url ?? "/",
        headers: { ...incoming.headers, "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https" }
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    )
    passed.on("error", () => outgoing.destroy())
    incoming.pipe(passed)
  }, certificate)
  return {
    service,
    port: front.port,
    authority: certificate.cert,
    stop: async () => {
      await front.close()
      await service.stop()
    }
  }
}
