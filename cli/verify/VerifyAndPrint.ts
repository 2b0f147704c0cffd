import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { issuerUrl } from "../../engine/audit/signature/ReportClaims.ts"
import { rubricName } from "../../engine/audit/Report.ts"
import { scoreWords } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { checkSignature, readSignedFile, type SignedFile, type Verified } from "./CheckSignature.ts"
import { publishedKeys, savedKeys } from "./IssuerKeys.ts"

interface VerifyFlags {
  readonly report: string
  readonly signature: Option.Option<string>
  readonly keys: Option.Option<string>
  readonly issuer: Option.Option<string>
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
  readonly format: "text" | "json"
}

/** Says what is signed, by whom and with which key; fails if it is not, or if the keys cannot be had. */
export const verifyAndPrint = Effect.fnUntraced(function* (flags: VerifyFlags): Effect.fn.Return<void, CliFailure> {
  const { allowHttp, allowPrivate, format } = flags
  const file = yield* readSignedFile(flags.report)
  const given = Option.getOrNull(flags.signature)?.trim() ?? null
  if (given !== null && file.run?.["signature"] !== undefined)
    return yield* wrongUsage(`${file.path} has a signature. Leave --signature out: it is for a report alone.`)
  const issuer = yield* demandedIssuer(flags)
  const saved = yield* keysOfFile(flags)
  const verified = yield* checkSignature(file, {
    given,
    issuer,
    keysOf: (signer) => (saved === null ? publishedKeys(signer, { allowHttp, allowPrivate }) : Effect.succeed(saved))
  }).pipe(
    Effect.catchTags({
      NotVerified: ({ message, reason }) => refused(format, ExitCode.belowTarget, reason, message),
      UnreadableKeys: ({ message }) => refused(format, ExitCode.notReliable, "unreadable_keys", message)
    })
  )
  yield* writeOut(format === "json" ? json(file, verified) : text(file, verified, issuer), format)
})

const demandedIssuer = ({ issuer }: VerifyFlags): Effect.Effect<string | null, CliFailure> => {
  if (Option.isNone(issuer)) return Effect.succeed(null)
  const url = issuerUrl(issuer.value)
  return url === null
    ? Effect.fail(wrongUsage("--issuer takes the URL of a docgauge service, such as https://docgauge.example."))
    : Effect.succeed(url)
}

const keysOfFile = ({ allowHttp, allowPrivate, keys }: VerifyFlags) => {
  if (Option.isNone(keys)) return Effect.succeed(null)
  return allowHttp || allowPrivate
    ? Effect.fail(
        wrongUsage(
          `With --keys nothing is fetched, so ${allowHttp ? "--allow-http" : "--allow-private"} has no effect. Leave it out.`
        )
      )
    : savedKeys(keys.value)
}

const refused = Effect.fnUntraced(function* (
  format: VerifyFlags["format"],
  code: 1 | 4,
  reason: string,
  message: string
): Effect.fn.Return<never, CliFailure> {
  if (format === "json") yield* writeOut(`${JSON.stringify({ valid: false, reason, message }, null, 2)}\n`, format)
  return yield* new CliFailure({ code, message })
})

const text = ({ shown }: SignedFile, { claims, keyId, keySource, unsigned }: Verified, issuer: string | null): string =>
  [
    `Valid: ${plainText(claims.base_url, 300)}, ${scoreWords(shown.total_score, shown.reliability?.reliable ?? true)} of 100 (${rubricName(shown.rubric)}), run ${plainText(claims.run_id, 60)} of ${plainText(claims.started_at, 40)}.`,
    `Signed by ${claims.iss}${issuer === null ? ". Make sure that you trust this service: --issuer URL demands one." : ", as demanded."}`,
    `With the key ${keyId}, ${keySource}.`,
    ...(unsigned.length === 0 ? [] : [`Not signed: ${plainText(unsigned.join(", "), 300)}.`]),
    ""
  ].join("\n")

const json = ({ shown }: SignedFile, { claims, keyId, keySource, unsigned }: Verified): string =>
  `${JSON.stringify(
    {
      valid: true,
      issuer: claims.iss,
      key: keyId,
      keys: keySource,
      run_id: plainText(claims.run_id),
      base_url: plainText(claims.base_url, 2_048),
      started_at: plainText(claims.started_at),
      total_score: shown.total_score,
      reliable: shown.reliability?.reliable ?? true,
      rubric: shown.rubric,
      unsigned: unsigned.map((name) => plainText(name))
    },
    null,
    2
  )}\n`
