import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { parseTarget } from "../../engine/audit/Target.ts"
import type { ResolveRule } from "../../engine/evidence/http/ResolveRule.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, NO_URL, wrongUsage } from "../io/CliFailure.ts"
import { isFile } from "../io/FileKind.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/** The URL to audit; the error says what to pass instead. */
export const auditedUrl = (
  { allowHttp, allowPrivate, url }: Pick<AuditFlags, "allowHttp" | "allowPrivate" | "url">,
  resolve: ReadonlyArray<ResolveRule> = []
): Effect.Effect<string, CliFailure> => {
  if (Option.isNone(url) || url.value.trim() === "") return Effect.fail(wrongUsage(NO_URL))
  const bare = lacksScheme(url.value)
  if (isFile(url.value))
    return Effect.fail(
      wrongUsage(
        `${plainText(url.value, 200)} is a file. Pass the URL of a documentation site, or a folder and its URL: docgauge ./build --as https://docs.example.com`
      )
    )
  const target = parseTarget(bare ? `https://${url.value}` : url.value, {
    allowHttp,
    allowPrivate,
    allowPorts: true,
    resolve
  })
  if (Result.isSuccess(target)) return Effect.succeed(target.success)
  const { code, message } = target.failure
  return Effect.fail(wrongUsage(`${withoutPassword(url.value)} cannot be audited: ${message}.${ADVICE[code]}`))
}

/** Any URL that an archive or a service may have audited. */
export const urlOfAnyKind = (flags: Pick<AuditFlags, "url">): Effect.Effect<string, CliFailure> =>
  auditedUrl({ ...flags, allowHttp: true, allowPrivate: true })

/** A URL that is safe to print and log: without user name and password. */
export const withoutPassword = (url: string): string => plainText(url.replace(/\/\/[^/?#]*@/, "//…@"), 200)

/** `docs.example.com/guide`: a name with a dot, which is read as `https://`. */
const lacksScheme = (text: string): boolean =>
  /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d+)?(?:\/.*)?$/u.test(text) && URL.canParse(`https://${text}`)

const ADVICE = {
  invalid_base_url: "\nPass the URL of the documentation's first page. docgauge --help lists the commands.",
  http_not_supported: "\nUse the https:// URL, or pass --allow-http.",
  not_public_address:
    "\nPass --allow-private to audit a site on your own network, or --resolve to map a public name to it."
} as const
