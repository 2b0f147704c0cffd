import { calculateJwkThumbprint, compactVerify, decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from "jose"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { createHash, createPrivateKey, type KeyObject } from "node:crypto"
import { LONGEST_SIGNATURE, ReportClaims } from "./ReportClaims.ts"
import { MOST_CLIENT_DEPTH } from "../../text/JsonText.ts"

/** The algorithm of signatures, always with Ed25519 (RFC 8037); no other is ever accepted. */
const REPORT_ALGORITHM = "EdDSA"

/** An Ed25519 public key as a JWK (RFC 8037, section 2). */
export const PublishedKey = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String.check(Schema.isPattern(/^[-\w]{43}$/)),
  use: Schema.optionalKey(Schema.Literal("sig")),
  alg: Schema.optionalKey(Schema.Literals([REPORT_ALGORITHM, "Ed25519"])),
  kid: Schema.optionalKey(Schema.String)
})
export type PublishedKey = typeof PublishedKey.Type

/** A JWK Set (RFC 7517, section 5). It may have keys of other kinds. */
export const KeySet = Schema.Struct({ keys: Schema.Array(Schema.Json).check(Schema.isMaxLength(100)) })

/** The id of a key: its thumbprint by RFC 7638, so that one id is never two keys. */
export const keyIdOf = ({ crv, kty, x }: PublishedKey): Promise<string> => calculateJwkThumbprint({ kty, crv, x })

export interface SigningKey {
  readonly id: string
  readonly secret: KeyObject
  readonly published: PublishedKey
}

/** PKCS #8 of an Ed25519 key (RFC 8410, section 7) up to its seed. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex")

/** The key of a seed of 32 bytes. */
export const signingKeyOf = async (seed: Uint8Array): Promise<SigningKey> => {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" })
  const { x = "" } = secret.export({ format: "jwk" })
  const bare = { kty: "OKP", crv: "Ed25519", x } as const
  const id = await keyIdOf(bare)
  return { id, secret, published: { ...bare, use: "sig", alg: REPORT_ALGORITHM, kid: id } }
}

/*
 * The signature of a report: a JWT (RFC 7519) that names the service, the run and the SHA-256 of the report's canonical JSON.
 */

/** `typ` of a signature, so that no token for another purpose passes for one (RFC 8725, section 3.11). */
const SIGNATURE_TYPE = "docgauge-report+jwt"

/** The digest of a report for its claims; `null` if it has no canonical JSON. */
export const reportDigest = (report: Schema.Json): string | null => {
  const canonical = canonicalJson(report)
  return canonical === null ? null : createHash("sha256").update(canonical).digest("hex")
}

/** Signs; the same claims and key give the same text. */
export const signReport = ({ id, secret }: SigningKey, claims: ReportClaims): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: REPORT_ALGORITHM, typ: SIGNATURE_TYPE, kid: id }).sign(secret)

/** A signature that was read but not checked: its claims may be forged. */
export interface ReadSignature {
  readonly text: string
  readonly keyId: string
  readonly claims: ReportClaims
}

/** Reads a signature; fails with a clause about what is wrong with it. */
export const readSignature = (text: string): Result.Result<ReadSignature, string> => {
  if (text.length > LONGEST_SIGNATURE) return Result.fail(`it is longer than ${LONGEST_SIGNATURE} characters`)
  const header = headerOf(text)
  if (header === null) return Result.fail("it is not a JSON Web Signature")
  const { alg, crit, kid, typ } = header
  if (typ !== SIGNATURE_TYPE) return Result.fail(`it is not of type ${SIGNATURE_TYPE}`)
  if (alg !== REPORT_ALGORITHM) return Result.fail(`its algorithm is not ${REPORT_ALGORITHM}`)
  if (crit !== undefined) return Result.fail("it demands an extension (crit)")
  if (typeof kid !== "string") return Result.fail("it names no key (kid)")
  const claims = Option.getOrNull(claimsOf(text))
  return claims === null ? Result.fail("it does not say what was signed") : Result.succeed({ text, keyId: kid, claims })
}

const headerOf = (text: string): Readonly<Record<string, unknown>> | null => {
  const parts = text.split(".")
  if (parts.length !== 3 || !parts.every(isBase64Url)) return null
  try {
    return decodeProtectedHeader(text)
  } catch {
    return null
  }
}

/** Strict, unlike decoders: each change of a character is one of the bytes. */
const isBase64Url = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part

const claimsOf = (text: string): Option.Option<ReportClaims> => {
  try {
    return Schema.decodeUnknownOption(ReportClaims)(decodeJwt(text))
  } catch {
    return Option.none()
  }
}

/** The key of a set that a signature names, by its thumbprint; `null` if it is not there. Keys of other kinds are ignored. */
export const namedKey = async (
  { keyId }: ReadSignature,
  keys: ReadonlyArray<Schema.Json>
): Promise<PublishedKey | null> => {
  for (const key of keys.flatMap((key) => Option.toArray(Schema.decodeUnknownOption(PublishedKey)(key))))
    if ((await keyIdOf(key)) === keyId) return key
  return null
}

/** Whether this key made the signature. */
export const isSignedWith = async ({ text }: ReadSignature, { crv, kty, x }: PublishedKey): Promise<boolean> => {
  try {
    const key = await importJWK({ kty, crv, x }, REPORT_ALGORITHM)
    await compactVerify(text, key, { algorithms: [REPORT_ALGORITHM] })
    return true
  } catch {
    return false
  }
}

/**
 * A value as JSON in the one form that RFC 8785 (JCS) gives it, so that all who have the value get the same bytes. `null` for what has
 * none: half of a surrogate pair, a number that is not finite, or more than 64 levels of nesting.
 */
export const canonicalJson = (value: Schema.Json): string | null => {
  // Appended to one text, because joining the parts of each level copies them once a level.
  let text = ""
  const append = (value: Schema.Json, depth: number): boolean => {
    const scalar = scalarText(value)
    text += scalar ?? ""
    if (scalar !== undefined || typeof value !== "object" || value === null) return scalar !== null
    if (depth === 0) return false
    return isList(value) ? appendList(value, depth - 1) : appendObject(value, depth - 1)
  }
  const appendList = (items: Schema.JsonArray, depth: number): boolean => {
    text += "["
    for (const [index, item] of items.entries()) {
      if (index > 0) text += ","
      if (!append(item, depth)) return false
    }
    text += "]"
    return true
  }
  const appendObject = (members: Schema.JsonObject, depth: number): boolean => {
    text += "{"
    // By UTF-16 code units, as the sort of ECMAScript does it.
    for (const [index, name] of Object.keys(members).toSorted().entries()) {
      if (index > 0) text += ","
      if (!append(name, depth)) return false
      text += ":"
      const member = members[name]
      if (member === undefined || !append(member, depth)) return false
    }
    text += "}"
    return true
  }
  return append(value, MOST_CLIENT_DEPTH) ? text : null
}

/** Strings and numbers as ECMAScript writes them, as RFC 8785 has it; `null` for those without a canonical form; `undefined` for lists and objects. */
const scalarText = (value: Schema.Json): string | null | undefined => {
  if (typeof value === "string") return value.isWellFormed() ? JSON.stringify(value) : null
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : null
  return typeof value === "object" && value !== null ? undefined : JSON.stringify(value)
}

const isList = (value: Schema.Json): value is Schema.JsonArray => Array.isArray(value)
