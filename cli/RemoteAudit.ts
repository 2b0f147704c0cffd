import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import { readInert } from "../engine/audit/InertText.ts"
import { plainText } from "../engine/audit/PlainText.ts"
import { AuditReport } from "../engine/audit/Report.ts"
import { trimTrailingSlashes } from "../engine/evidence/Trim.ts"
import { auditRemotely, makeClient } from "../server/client.ts"
import { CliFailure, ExitCode, wrongUsage } from "./CliFailure.ts"
import { makeProgress } from "./render/Progress.ts"

/** Has the service at `server` audit the site, with progress on the terminal. */
export const auditAt = Effect.fn("auditAt")(function*(server: string, baseUrl: string, quiet: boolean): Effect.fn.Return<AuditReport, CliFailure, HttpClient.HttpClient> {
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) return yield* wrongUsage("--server takes the address of a docgauge service, as in https://docgauge.example")
  const progress = makeProgress(quiet)
  const client = yield* makeClient(trimTrailingSlashes(server))
  return yield* auditRemotely(client, {
    baseUrl,
    onProgress: ({ progress: { done, total } }) => progress.listen({ _tag: "Measured", criterion: "", done, total })
  }).pipe(
    // What a service says of a site is shown as little trusted as what the site says of itself.
    Effect.flatMap((report) => readInert(JSON.stringify(report), AuditReport)),
    Effect.mapError(({ message }) => new CliFailure({ code: ExitCode.notAudited, message: `${plainText(message)}\nAsked of ${server}.` })),
    Effect.ensuring(Effect.sync(progress.end))
  )
}, Effect.provide(FetchHttpClient.layer))
