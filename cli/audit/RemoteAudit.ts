import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import { AuditReport } from "../../engine/audit/Report.ts"
import { proxyFor } from "../../engine/evidence/http/Proxies.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"
import { auditRemotely, makeClient } from "../../server/client.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { environmentProxies } from "../io/Connections.ts"
import { makeProgress } from "../render/Progress.ts"
import { leftOutNotice, urlOfAnyKind } from "./AuditedUrl.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import type { BeforeAudit } from "./AuditSource.ts"

/** Runs the audit on the service at `server`, with progress on the terminal. */
export const remoteAudit = Effect.fn("remoteAudit")(
  function* (
    flags: AuditFlags,
    server: string,
    before: BeforeAudit
  ): Effect.fn.Return<AuditReport, CliFailure, HttpClient.HttpClient> {
    const url = yield* urlOfAnyKind(flags)
    if (!/^https?:\/\//.test(server) || !URL.canParse(server))
      return yield* wrongUsage("--server takes the URL of a docgauge service, such as https://docgauge.example")
    const notice = leftOutNotice(
      Option.getOrElse(flags.url, () => url),
      false
    )
    if (notice !== undefined && !flags.quiet) yield* Console.error(`docgauge: ${notice}`)
    yield* before(url, null)
    const progress = makeProgress(flags.quiet)
    const client = yield* makeClient(trimTrailingSlashes(server))
    return yield* auditRemotely(client, {
      baseUrl: url,
      onProgress: ({ progress: { done, total } }) => progress.listen({ _tag: "Measured", criterion: "", done, total })
    }).pipe(
      // A service's report is as untrusted as the site's own text.
      Effect.flatMap((report) => readInert(JSON.stringify(report), AuditReport)),
      Effect.mapError(
        ({ message }) =>
          new CliFailure({ code: ExitCode.notAudited, message: `${plainText(message)}\nThe service is ${server}.` })
      ),
      Effect.ensuring(Effect.sync(progress.end))
    )
  },
  (audit, _flags, server) => Effect.provide(audit, Layer.unwrap(clientFor(server)))
)

/** A client that goes through the proxy for that service, if there is one. */
const clientFor = Effect.fnUntraced(function* (
  server: string
): Effect.fn.Return<Layer.Layer<HttpClient.HttpClient>, CliFailure> {
  const url = URL.parse(server)
  const proxy = url === null ? null : proxyFor(url, yield* environmentProxies())
  if (proxy === null) return FetchHttpClient.layer
  const [{ Dispatcher, layerUndiciNoDispatcher }, { ProxyAgent }] = yield* Effect.promise(() =>
    Promise.all([import("@effect/platform-node/NodeHttpClient"), import("undici")])
  )
  const agent = new ProxyAgent({
    uri: proxy.url,
    ...(proxy.authorization === null ? {} : { token: proxy.authorization })
  })
  return Layer.provide(
    layerUndiciNoDispatcher,
    Layer.effect(
      Dispatcher,
      Effect.acquireRelease(Effect.succeed(agent), () => Effect.promise(() => agent.close()))
    )
  )
})
