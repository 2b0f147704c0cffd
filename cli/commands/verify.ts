import { Argument, Command } from "effect/cli"
import * as Effect from "effect/Effect"
import { formatFlag, off, optionalText } from "../io/Flags.ts"

/** `docgauge verify`: checks the signature of a report that a service made. */
export const verify = Command.make(
  "verify",
  {
    report: Argument.String("report").pipe(
      Argument.withDescription(
        "A run as a service answers it (GET /api/public/audit/ID), or its report alone with --signature"
      )
    ),
    signature: optionalText(
      "signature",
      "TEXT",
      "The X-Audit-Signature that came with a report alone. --signature eyJhbGciOiJFZERTQSIs…"
    ),
    issuer: optionalText(
      "issuer",
      "URL",
      "Fail unless this service signed the report. --issuer https://docgauge.example"
    ),
    keys: optionalText(
      "keys",
      "FILE",
      "Verify with keys that were saved from /.well-known/docgauge-keys.json of the service, without a network. --keys docgauge-keys.json"
    ),
    allowPrivate: off("allow-private", "Fetch keys from a service that is not public, such as one on this machine"),
    allowHttp: off("allow-http", "Fetch keys over http:// from a service on this machine"),
    format: formatFlag(["text", "json"], "Output format. --format json")
  },
  Effect.fn("verify")(function* (flags) {
    const { verifyAndPrint } = yield* Effect.promise(() => import("../verify/VerifyAndPrint.ts"))
    yield* verifyAndPrint(flags)
  })
).pipe(
  Command.withShortDescription("Check that a service signed a report"),
  Command.withDescription(
    "Check that a docgauge service signed a report and that nothing in it was changed since: what it is about, who signed it and with which key"
  ),
  Command.withExamples([
    {
      command: "docgauge verify run.json --issuer https://docgauge.example",
      description: "With the keys that the service publishes"
    },
    {
      command: "docgauge verify run.json --issuer https://docgauge.example --keys keys.json",
      description: "With keys that were saved before, without a network"
    }
  ])
)
