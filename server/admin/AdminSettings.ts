import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"
import { setting } from "../../engine/config/Setting.ts"
import { addresses, isLoopback } from "../config/Settings.ts"

/** The key that verifies tokens of operators. */
export type AdminKey =
  /** HS256. */
  | { readonly _tag: "Secret"; readonly secret: Uint8Array }
  /** RS256 and ES256, with the keys published at this URL. */
  | { readonly _tag: "KeySet"; readonly url: URL }

/** Which tokens the admin API accepts. */
export interface AdminOptions {
  readonly key: AdminKey
  /** Required `iss`; `null`: any. */
  readonly issuer: string | null
  /** Required value of `aud`. */
  readonly audience: string
}

const SECRET = "DOCGAUGE_ADMIN_JWT_SECRET"
const KEY_SET = "DOCGAUGE_ADMIN_JWKS_URL"

/** Minimum length of an HS256 secret, in bytes. */
const LEAST_BYTES = 32

const secret: Config.Config<AdminKey | null> = setting(SECRET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const bytes = new TextEncoder().encode(text)
  return bytes.length < LEAST_BYTES
    ? Result.fail(`use at least ${LEAST_BYTES} bytes, such as the output of openssl rand -base64 48`)
    : Result.succeed({ _tag: "Secret", secret: bytes })
})

const keySet: Config.Config<AdminKey | null> = setting(KEY_SET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const url = URL.parse(text)
  // A key set over plain http could be replaced on its way, and with it the signatures of operators.
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
    ? Result.succeed({ _tag: "KeySet", url })
    : Result.fail("use the https URL of a JSON Web Key Set (http only on loopback)")
})

const text = (name: string, fallback: string): Config.Config<string> => setting(name, fallback, Result.succeed)

/** From the environment; `null`: the admin API is off. An invalid value, or two keys, fail with a message that names the variables. */
export const adminOptions: Config.Config<AdminOptions | null> = Config.flatMap(
  Config.all({ secret, keySet, addresses }),
  ({ addresses: { base }, keySet, secret }) => {
    if (secret !== null && keySet !== null)
      return Config.fail(new SourceError({ message: `${SECRET}, ${KEY_SET}: set one of the two, not both` }))
    const key = secret ?? keySet
    return Config.map(
      Config.all({
        issuer: text("DOCGAUGE_ADMIN_JWT_ISSUER", ""),
        audience: text("DOCGAUGE_ADMIN_JWT_AUDIENCE", "")
      }),
      ({ audience, issuer }) =>
        key === null
          ? null
          : {
              key,
              issuer: issuer === "" ? null : issuer,
              audience: audience === "" ? `${base}/api/admin` : audience
            }
    )
  }
)
