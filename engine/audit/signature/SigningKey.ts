import { calculateJwkThumbprint } from "jose"
import * as Schema from "effect/Schema"
import { createPrivateKey, type KeyObject } from "node:crypto"

/** The algorithm of signatures, always with Ed25519 (RFC 8037); no other is ever accepted. */
export const REPORT_ALGORITHM = "EdDSA"

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
