import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { asTyped, leftOutOf, parseTarget } from "../../engine/audit/Target.ts"
import type { ResolveRule } from "../../engine/evidence/http/Destination.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, NO_URL, wrongUsage } from "../io/CliFailure.ts"
import { isFile } from "../io/Files.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/** The URL to audit; the error says what to pass instead. */
export const auditedUrl = (
  { allowHttp, allowPrivate, url }: Pick<AuditFlags, "allowHttp" | "allowPrivate" | "url">,
  resolve: ReadonlyArray<ResolveRule> = []
): Effect.Effect<string, CliFailure> => {
  if (Option.isNone(url) || url.value.trim() === "") return Effect.fail(wrongUsage(NO_URL))
  if (isFile(url.value))
    return Effect.fail(
      wrongUsage(
        `${plainText(url.value, 200)} is a file. Pass the URL of a documentation site, or a folder and its URL: docgauge ./build --as https://docs.example.com`
      )
    )
  const target = parseTarget(withScheme(url.value), {
    allowHttp,
    allowPrivate,
    allowPorts: true,
    resolve
  })
  if (Result.isSuccess(target)) return Effect.succeed(target.success)
  const { code, message } = target.failure
  return Effect.fail(wrongUsage(`${withoutPassword(url.value)} cannot be audited: ${message}.${ADVICE[code]}`))
}

/** What an audit asks for first where that is not the URL itself, because a query or a slash at its end was typed. */
export const firstOf = (typed: string, audited: string): string | undefined => {
  const first = asTyped(withScheme(typed), audited)
  return first === audited ? undefined : first
}

/** What the audit does with query and fragment of the URL, as a sentence; `undefined` where it has none. */
export const leftOutNotice = (typed: string, sendsQuery: boolean): string | undefined => {
  const { fragment, query } = leftOutOf(withScheme(typed))
  const told = [
    ...(query === "" ? [] : [`${query} ${sendsQuery ? "is sent for the first page only" : "is left out"}`]),
    ...(fragment === "" ? [] : [`${fragment} is left out`])
  ]
  return told.length === 0 ? undefined : `${plainText(told.join(", and "), 300)}.`
}

/** Any URL that an archive or a service may have audited. */
export const urlOfAnyKind = (flags: Pick<AuditFlags, "url">): Effect.Effect<string, CliFailure> =>
  auditedUrl({ ...flags, allowHttp: true, allowPrivate: true })

/** A URL that is safe to print and log: without user name and password. */
export const withoutPassword = (url: string): string => plainText(url.replace(/\/\/[^/?#]*@/, "//…@"), 200)

/** What a development server prints without its scheme: `localhost:3000`, `127.0.0.1:8080/docs`. */
const ON_THIS_MACHINE = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?#].*)?$/i

/** `docs.example.com/guide`: a name with a dot. */
const NAME = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d+)?(?:[/?#].*)?$/u

/** A URL without a scheme is one of `https://`, but on this machine of `http://`. */
const withScheme = (text: string): string => {
  const scheme = ON_THIS_MACHINE.test(text) ? "http" : NAME.test(text) ? "https" : null
  return scheme !== null && URL.canParse(`${scheme}://${text}`) ? `${scheme}://${text}` : text
}

const ADVICE = {
  invalid_base_url: "\nPass the URL of the documentation's first page. docgauge --help lists the commands.",
  http_not_supported: "\nUse the https:// URL, or pass --allow-http.",
  not_public_address:
    "\nPass --allow-private to audit a site on your own network, or --resolve to map a public name to it."
} as const
