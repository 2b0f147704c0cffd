import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import { AuditReport } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { trimTrailingSlashes } from "../../engine/text/Trim.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { auditRemotely, makeClient } from "../../server/client.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { makeProgress } from "../render/Progress.ts"
import { urlOfAnyKind } from "./AuditedUrl.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import type { BeforeAudit } from "./AuditSource.ts"

/** Runs the audit on the service at `server`, with progress on the terminal. */
export const remoteAudit = Effect.fn("remoteAudit")(function*(flags: AuditFlags, server: string, before: BeforeAudit): Effect.fn.Return<AuditReport, CliFailure, HttpClient.HttpClient> {
  const url = yield* urlOfAnyKind(flags)
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) return yield* wrongUsage("--server takes the URL of a docgauge service, such as https://docgauge.example")
  yield* before(url, null)
  const progress = makeProgress(flags.quiet)
  const client = yield* makeClient(trimTrailingSlashes(server))
  return yield* auditRemotely(client, {
    baseUrl: url,
    onProgress: ({ progress: { done, total } }) => progress.listen({ _tag: "Measured", criterion: "", done, total })
  }).pipe(
    // A service's report is as untrusted as the site's own text.
    Effect.flatMap((report) => readInert(JSON.stringify(report), AuditReport)),
    Effect.mapError(({ message }) => new CliFailure({ code: ExitCode.notAudited, message: `${plainText(message)}\nThe service is ${server}.` })),
    Effect.ensuring(Effect.sync(progress.end))
  )
}, Effect.provide(FetchHttpClient.layer))
