import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import process from "node:process"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { Diagnostic, Span } from "../../engine/rubric/source/SourceText.ts"
import { auditedUrl, urlOfAnyKind } from "../audit/AuditedUrl.ts"
import { type AuditSource, canonicalOriginOf } from "../audit/AuditSource.ts"
import { readBaseline } from "../audit/BaselineFile.ts"
import { sourceOf } from "../audit/LocalAudit.ts"
import { siteHeaders } from "../audit/RequestHeaders.ts"
import { requireSameSite } from "../gate/Baseline.ts"
import type { CliFailure } from "../io/CliFailure.ts"
import { resolveRules } from "../io/ResolveRules.ts"
import { type ConfigPath, keySpan, valueSpan } from "./ConfigPlaces.ts"
import type { ConfiguredSite } from "./ConfiguredSite.ts"
import type { ConfigFile } from "./ReadConfig.ts"

/** A site of the file with all that its values name: it can be audited. */
export interface ReadySite {
  readonly site: ConfiguredSite
  readonly source: AuditSource
  readonly baseline: AuditReport | null
}

/** Logins are tried with any URL, because that of the site may be wrong, too. */
const ANY_URL = "https://docs.example.com"

/** Checks what a site's values name: URL, folder, login, environment variables and baseline. The failure is every mistake with its place. */
export const readySite = Effect.fnUntraced(function* (
  site: ConfiguredSite,
  index: number,
  { root }: ConfigFile
): Effect.fn.Return<Result.Result<ReadySite, ReadonlyArray<Diagnostic>>, CliFailure, FileSystem.FileSystem> {
  const at = (key: string): Span => valueSpan(root, ["sites", index, key])
  const { flags } = site
  const resolve = yield* resolveRules(flags.resolve)
  const isFolder = Option.isSome(flags.as)
  const url = yield* Effect.result(isFolder ? urlOfAnyKind({ url: flags.as }) : auditedUrl(flags, resolve))
  const origin = yield* Effect.result(canonicalOriginOf(flags))
  const faults = [
    ...faultsOf(url, at("url")),
    ...faultsOf(origin, at("canonical_origin")),
    ...(yield* loginFaults(site, (path) => keySpan(root, ["sites", index, ...path]) ?? root.span))
  ]
  if (faults.length > 0) return Result.fail(faults)
  const source = yield* Effect.result(sourceOf(flags, site.login, process.env))
  const baseline = yield* Effect.result(baselineOf(site, source))
  const atBaseline = keySpan(root, ["sites", index, "baseline"]) ?? keySpan(root, ["baseline"]) ?? root.span
  return Result.isSuccess(source) && Result.isSuccess(baseline)
    ? Result.succeed({ site, source: source.success, baseline: baseline.success })
    : Result.fail([...faultsOf(source, at(isFolder ? "path" : "url")), ...faultsOf(baseline, atBaseline)])
})

/** Each header alone, so that each mistake has its place, and then the login as a whole. */
const loginFaults = Effect.fnUntraced(function* ({ login }: ConfiguredSite, at: (path: ConfigPath) => Span) {
  if (login === null) return []
  const ofHeaders = yield* Effect.forEach(login.headers, (header) =>
    Effect.map(Effect.result(siteHeaders(ANY_URL, { headers: [header], basicAuth: null })), (result) =>
      faultsOf(result, at(["headers", header[0]]))
    )
  )
  const faults = ofHeaders.flat()
  return faults.length > 0 || login.basicAuth === null
    ? faults
    : faultsOf(yield* Effect.result(siteHeaders(ANY_URL, login)), at(["basic_auth"]))
})

const baselineOf = Effect.fnUntraced(function* (
  { baseline: path, flags }: ConfiguredSite,
  source: Result.Result<AuditSource, CliFailure>
): Effect.fn.Return<AuditReport | null, CliFailure, FileSystem.FileSystem> {
  if (path === null) return null
  const baseline = yield* readBaseline(path, flags)
  if (Result.isSuccess(source))
    yield* requireSameSite(source.success.run.url, source.success.run.canonicalOrigin, baseline)
  return baseline
})

/** A message of the command line as a problem of the file: its first sentence, with the others as the hint, and keys instead of flags. */
const faultsOf = (result: Result.Result<unknown, CliFailure>, span: Span): ReadonlyArray<Diagnostic> => {
  if (Result.isSuccess(result)) return []
  const [message = "", ...advice] = result.failure.message
    .replace(/ Nothing was audited\.$/, "")
    .replaceAll("--canonical-origin", '"canonical_origin"')
    .split(/\.?\n|\. (?=\p{Lu})/u)
  return [
    { rule: "value", span, message: message.replace(/\.$/, ""), hint: advice.length === 0 ? null : advice.join(". ") }
  ]
}
