import * as Layer from "effect/Layer"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"

/** A server on loopback that answers for every host over TLS. */
interface LoopbackServer {
  /** The certificate of its authority. */
  readonly authority: string
  readonly port: number
}

/** The network of a strict audit, in which every name leads to the server. */
export const transportTo = ({ authority, port }: LoopbackServer) =>
  politely().pipe(
    Layer.provide(
      guardedHttp({
        resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: port }],
        allowPrivate: false,
        allowHttp: false,
        userAgents: userAgents("0.0.0", null),
        authorities: [authority]
      })
    )
  )
