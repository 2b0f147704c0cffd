import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { issuerUrl, KEYS_PATH } from "../../engine/audit/signature/ReportClaims.ts"
import { rubricName } from "../../engine/audit/Report.ts"
import { scoreWords } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { checkSignature, readSignedFile, type SignedFile, type Verified, type IssuerKeys } from "./CheckSignature.ts"
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import { KeySet } from "../../engine/audit/signature/ReportSignature.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { firstHeaderIn } from "../../engine/evidence/Exchange.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { isLoopbackHost } from "../../engine/evidence/http/Proxies.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { isWithinDepth, MOST_CLIENT_DEPTH } from "../../engine/text/JsonText.ts"
import { environmentProxies } from "../io/Connections.ts"
import { readForeignText } from "../io/Files.ts"

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

/** Maximum size of a key set in bytes. */
const MOST_BYTES = 64 * 1_024

/** The keys of a service could not be read; the message is two sentences: what happened, what to do. */
class UnreadableKeys extends Data.TaggedError("UnreadableKeys")<{ readonly message: string }> {}

/** The keys that were saved from a service. */
const savedKeys = Effect.fnUntraced(function* (path: string): Effect.fn.Return<IssuerKeys, CliFailure> {
  const what = `a key set that was saved from ${KEYS_PATH} of a service`
  const keys = keysIn(yield* readForeignText(path, MOST_BYTES, what))
  const name = plainText(path, 200)
  return keys === null ? yield* wrongUsage(`${name} is not ${what}.`) : { keys, source: `of ${name}` }
})

const keysIn = (text: string): ReadonlyArray<Schema.Json> | null => {
  if (!isWithinDepth(text, MOST_CLIENT_DEPTH)) return null
  return Option.getOrNull(Option.map(readKeySet(text), ({ keys }) => keys))
}

const readKeySet = Schema.decodeUnknownOption(Schema.fromJsonString(KeySet))

const SAVE_THEM = "Save its keys on a machine that reaches it, and pass them with --keys."
const ON_THIS_MACHINE = "A service on this machine needs --allow-private and, without https, --allow-http."

/**
 * The keys that the service at this URL publishes now. The signer chose the URL, so the request goes to public addresses only; it follows
 * no redirect, because the keys would then be those of another URL.
 */
const publishedKeys = Effect.fnUntraced(function* (
  issuer: string,
  reach: { readonly allowHttp: boolean; readonly allowPrivate: boolean }
): Effect.fn.Return<IssuerKeys, CliFailure | UnreadableKeys> {
  const url = issuer + KEYS_PATH
  const shown = plainText(url, 300)
  const { hostname, protocol } = new URL(url)
  if (protocol === "http:" && !isLoopbackHost(hostname))
    return yield* new UnreadableKeys({
      message: `${shown} is not https, so anybody on the way could have made the keys. ${SAVE_THEM}`
    })
  const network = guardedHttp({
    ...reach,
    resolve: [],
    userAgents: userAgents(ENGINE_VERSION, null),
    proxies: yield* environmentProxies()
  })
  const answer = yield* Transport.use(({ send }) =>
    send({ asked: { method: "GET", url, accept: ACCEPTED, agent: "docgauge" }, limitBytes: MOST_BYTES })
  ).pipe(Effect.provide(network))
  if (answer._tag === "HopFault")
    return yield* new UnreadableKeys({
      message: `${shown} cannot be read: ${plainText(answer.message)}. ${isLoopbackHost(hostname) ? ON_THIS_MACHINE : SAVE_THEM}`
    })
  const location = firstHeaderIn(answer.headers, "location")
  if (answer.status !== 200)
    return yield* new UnreadableKeys({
      message: `${shown} answered ${answer.status}${location === null ? "" : `, a redirect to ${plainText(location, 200)}, which is not followed`}. ${SAVE_THEM}`
    })
  const keys = answer.cut ? null : keysIn(Buffer.from(answer.body).toString("utf8"))
  if (keys === null) return yield* new UnreadableKeys({ message: `${shown} is not a key set. ${SAVE_THEM}` })
  return { keys, source: `published at ${shown}` }
})

const ACCEPTED = "application/jwk-set+json, application/json"
