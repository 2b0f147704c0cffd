import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"
import { setting } from "../../engine/config/Setting.ts"
import { addresses, isLoopback } from "../Settings.ts"

/** What the tokens of operators are checked with. */
export type AdminKey =
  /** HS256. */
  | { readonly _tag: "Secret"; readonly secret: Uint8Array }
  /** RS256 and ES256, by the keys that are published there. */
  | { readonly _tag: "KeySet"; readonly url: URL }

/** Whom the admin API believes. */
export interface AdminOptions {
  readonly key: AdminKey
  /** What `iss` has to be; `null`: anything. */
  readonly issuer: string | null
  /** What `aud` has to be, or contain. */
  readonly audience: string
}

const SECRET = "DOCGAUGE_ADMIN_JWT_SECRET"
const KEY_SET = "DOCGAUGE_ADMIN_JWKS_URL"

/** The shortest secret that HS256 is safe with, in bytes. */
const LEAST_BYTES = 32

const secret: Config.Config<AdminKey | null> = setting(SECRET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const bytes = new TextEncoder().encode(text)
  return bytes.length < LEAST_BYTES
    ? Result.fail(`give at least ${LEAST_BYTES} bytes, such as openssl rand -base64 48 prints`)
    : Result.succeed({ _tag: "Secret", secret: bytes })
})

const keySet: Config.Config<AdminKey | null> = setting(KEY_SET, "", (text) => {
  if (text === "") return Result.succeed(null)
  const url = URL.parse(text)
  // Anyone who can change the answer on its way could sign operators' tokens.
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
    ? Result.succeed({ _tag: "KeySet", url })
    : Result.fail("give the https address of a JSON Web Key Set; http only on loopback")
})

const text = (name: string, fallback: string): Config.Config<string> => setting(name, fallback, Result.succeed)

/** From the environment; `null`: the admin API is off. A wrong value, or two keys, fail in one line that names the variables. */
export const adminOptions: Config.Config<AdminOptions | null> = Config.flatMap(
  Config.all({ secret, keySet, addresses }),
  ({ addresses: { base }, keySet, secret }) => {
    if (secret !== null && keySet !== null) return Config.fail(new SourceError({ message: `${SECRET}, ${KEY_SET}: give one of the two, not both` }))
    const key = secret ?? keySet
    return Config.map(
      Config.all({
        issuer: text("DOCGAUGE_ADMIN_JWT_ISSUER", ""),
        audience: text("DOCGAUGE_ADMIN_JWT_AUDIENCE", "")
      }),
      ({ audience, issuer }) => key === null ? null : {
        key,
        issuer: issuer === "" ? null : issuer,
        audience: audience === "" ? `${base}/api/admin` : audience
      }
    )
  }
)
