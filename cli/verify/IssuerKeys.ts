import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { KEYS_PATH } from "../../engine/audit/signature/ReportClaims.ts"
import { KeySet } from "../../engine/audit/signature/ReportSignature.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { firstHeaderIn } from "../../engine/evidence/Exchange.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { isLoopbackHost } from "../../engine/evidence/http/Proxies.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { isWithinDepth, MOST_CLIENT_DEPTH } from "../../engine/text/JsonText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { environmentProxies } from "../io/Connections.ts"
import { readForeignText } from "../io/Files.ts"

/** Maximum size of a key set in bytes. */
const MOST_BYTES = 64 * 1_024

/** Keys to verify with, and where they are from, as a clause. */
export interface IssuerKeys {
  readonly keys: ReadonlyArray<Schema.Json>
  readonly source: string
}

/** The keys of a service could not be read; the message is two sentences: what happened, what to do. */
class UnreadableKeys extends Data.TaggedError("UnreadableKeys")<{ readonly message: string }> {}

/** The keys that were saved from a service. */
export const savedKeys = Effect.fnUntraced(function* (path: string): Effect.fn.Return<IssuerKeys, CliFailure> {
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
export const publishedKeys = Effect.fnUntraced(function* (
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
