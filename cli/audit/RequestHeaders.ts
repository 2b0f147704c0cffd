import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import process from "node:process"
import { isRemovable, secretsOfAuthorization, type SiteHeaders } from "../../engine/evidence/EchoedSecrets.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/** What a preview asks for, with `${NAME}` where an environment variable is meant. */
export interface PreviewLogin {
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly basicAuth: string | null
  /** Whether the values are meant as they are, as a program gives them. */
  readonly literal?: boolean
}

/** Headers that docgauge sends itself, or that belong to the connection. */
const OWN = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "if-modified-since",
  "if-none-match",
  "keep-alive",
  "proxy-authorization",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent"
])

/** The value of `--header`: `Authorization: Bearer ${TOKEN}`. */
const parseHeader = (text: string): Effect.Effect<readonly [string, string], CliFailure> => {
  const colon = text.indexOf(":")
  return colon < 1
    ? Effect.fail(
        wrongUsage("--header takes a name and a value, as in: --header 'Authorization: Bearer ${PREVIEW_TOKEN}'")
      )
    : Effect.succeed([text.slice(0, colon).trim(), text.slice(colon + 1).trim()])
}

/** The headers with the values of the environment, for the origin of `url`. No message has a value: it may be a secret. */
export const siteHeaders = Effect.fnUntraced(function* (
  url: string,
  { basicAuth, headers, literal = false }: PreviewLogin
): Effect.fn.Return<SiteHeaders, CliFailure> {
  const given: Record<string, string> = {}
  const secrets: Array<string> = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower))
      return yield* wrongUsage(`"${plainText(name, 60)}" is not the name of a header.`)
    if (OWN.has(lower))
      return yield* wrongUsage(`the header ${plainText(name, 60)} cannot be set: docgauge sends its own.`)
    const what = `the header ${plainText(name, 60)}`
    given[lower] = yield* expanded(value, what, literal)
    // RFC 9110, section 5.5: no control characters.
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(given[lower]))
      return yield* wrongUsage(`the value of ${what} has characters that a header cannot have, such as a line break.`)
    if (LOGIN.test(lower)) secrets.push(...secretsIn(lower, given[lower]), ...(literal ? [] : variablesIn(value)))
  }
  if (basicAuth !== null) {
    if (given["authorization"] !== undefined)
      return yield* wrongUsage("basic authentication and the header Authorization cannot be used together. Omit one.")
    if (!basicAuth.includes("${"))
      return yield* wrongUsage(
        "basic authentication takes its values from the environment, as in '${PREVIEW_USER}:${PREVIEW_PASSWORD}'. Set those variables, and name them."
      )
    const login = yield* expanded(basicAuth, "basic authentication")
    if (!login.includes(":"))
      return yield* wrongUsage(
        "basic authentication needs a user and a password, as in '${PREVIEW_USER}:${PREVIEW_PASSWORD}'."
      )
    // RFC 7617, section 2. Any other character is sent as UTF-8 in Base64.
    if (/\p{Cc}/u.test(login))
      return yield* wrongUsage(
        "the user or the password of basic authentication has a control character, such as a line break. Remove it from the environment variable."
      )
    given["authorization"] = `Basic ${Buffer.from(login, "utf8").toString("base64")}`
    secrets.push(...secretsOfAuthorization(given["authorization"]))
  }
  return { origin: new URL(url).origin, headers: given, secrets }
})

/** The names of headers whose values are logins. All others, such as `X-Forwarded-Host` and `Referer`, say what pages say too. */
const LOGIN = /^cookie$|token|key|secret|auth|session|pass|credential/

/** A login and what a server may quote of it. Cookies that are no secrets, such as `theme=dark`, are not removed by themselves. */
const secretsIn = (name: string, value: string): ReadonlyArray<string> => {
  if (name !== "cookie") return secretsOfAuthorization(value)
  const cookies = value
    .split(/;\s*/)
    .map((pair) => pair.slice(pair.indexOf("=") + 1))
    .filter(isRemovable)
  return cookies.length === 0 ? [] : [value, ...cookies]
}

const variablesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(VARIABLE)].map(([, name = ""]) => process.env[name] ?? "")

const VARIABLE = /\$\{([^}]*)\}/g

const expanded = Effect.fnUntraced(function* (
  text: string,
  what: string,
  literal = false
): Effect.fn.Return<string, CliFailure> {
  const missing = literal
    ? undefined
    : [...text.matchAll(VARIABLE)].map(([, name = ""]) => name).find((name) => (process.env[name] ?? "") === "")
  if (missing !== undefined)
    return yield* wrongUsage(
      `${what} needs the environment variable ${plainText(missing, 60)}, which is not set. Nothing was audited.`
    )
  return literal ? text : text.replaceAll(VARIABLE, (_, name: string) => process.env[name] ?? "")
})

/** The login of `--header` and `--basic-auth`; `null` without them. */
export const loginOf = Effect.fnUntraced(function* ({
  basicAuth,
  header
}: Pick<AuditFlags, "basicAuth" | "header">): Effect.fn.Return<PreviewLogin | null, CliFailure> {
  if (header.length === 0 && Option.isNone(basicAuth)) return null
  return { headers: yield* Effect.forEach(header, parseHeader), basicAuth: Option.getOrNull(basicAuth) }
})
