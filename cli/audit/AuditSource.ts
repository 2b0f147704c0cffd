import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { join } from "node:path"
import { type RunRecord, runRecordOf } from "../../engine/audit/AuditRequest.ts"
import { originOf, plainForm } from "../../engine/evidence/Address.ts"
import { retrievalsFor } from "../../engine/evidence/AuditBudget.ts"
import { defaultLimits, FetchLimits, limitsWith, REQUEST_MILLISECONDS } from "../../engine/evidence/FetchLimits.ts"
import type { SiteFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { proxyOf } from "../../engine/evidence/http/Destination.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import type { Environment } from "../../engine/evidence/http/Proxies.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import type { Transport } from "../../engine/evidence/Transport.ts"
import type { UserAgents } from "../../engine/evidence/UserAgents.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { environmentProxies, resolveRules, uncheckedNotice } from "../io/Connections.ts"
import { isFolder } from "../io/Files.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { auditedUrl, firstOf, leftOutNotice, urlOfAnyKind, withoutPassword } from "./AuditedUrl.ts"
import { type PreviewLogin, siteHeaders } from "./RequestHeaders.ts"
import { type AuditFlags, flagNumber } from "./AuditFlags.ts"

/** The flags that say what to audit. */
export type SourceFlags = Pick<
  AuditFlags,
  | "allowHttp"
  | "allowPrivate"
  | "as"
  | "canonicalOrigin"
  | "concurrency"
  | "record"
  | "replay"
  | "resolve"
  | "sample"
  | "server"
  | "timeout"
  | "url"
>

/** Where an audit's evidence comes from (the network, an archive or a folder), and its run. */
export interface AuditSource {
  readonly transport: Layer.Layer<Transport>
  readonly run: RunRecord
  /** The folder, if it is one. */
  readonly folder?: SiteFolder
  /** What the user should know before anything is fetched, as a sentence. */
  readonly notice?: string | undefined
}

/** Called with the audited URL and the production origin before anything is fetched. */
export type BeforeAudit = (url: string, canonicalOrigin: string | null) => Effect.Effect<void, CliFailure>

/** The network, through the proxies that `environment` names. `beside`: requests that may be sent beside those of one audit. */
export const liveSource = Effect.fnUntraced(function* (
  flags: SourceFlags,
  userAgents: UserAgents,
  login: PreviewLogin | null,
  environment: Environment,
  beside = 0
): Effect.fn.Return<AuditSource, CliFailure> {
  const resolve = yield* resolveRules(flags.resolve)
  if (Option.isSome(flags.url) && isFolder(flags.url.value)) {
    return yield* wrongUsage(unpublishedText("docgauge", flags.url.value))
  }
  const url = yield* auditedUrl(flags, resolve)
  const typed = Option.getOrElse(flags.url, () => url)
  const canonicalOrigin = yield* canonicalOriginOf(flags)
  const limits = limitsWith({
    gatherMs: flagNumber(flags, "timeout") * 1_000,
    perHost: flagNumber(flags, "concurrency"),
    requests: retrievalsFor(flagNumber(flags, "sample"))
  })
  const { allowHttp, allowPrivate } = flags
  const headers = login === null ? undefined : yield* siteHeaders(url, login)
  const proxies = yield* environmentProxies(environment)
  const sent = wider(limits, beside)
  const network = guardedHttp({ resolve, allowPrivate, allowHttp, userAgents, siteHeaders: headers, proxies })
  const proxy = proxyOf(new URL(url), { resolve, allowPrivate, allowHttp, proxies })
  return {
    notice: noticeOf(leftOutNotice(typed, true), proxy === null || allowPrivate ? undefined : uncheckedNotice(proxy)),
    transport: politely().pipe(Layer.provide(network), Layer.provide(Layer.succeed(FetchLimits, sent))),
    run: {
      url,
      first: firstOf(typed, url),
      date: yield* today,
      sampleSize: flagNumber(flags, "sample"),
      canonicalOrigin,
      limits
    }
  }
})

/** What an answer beside those of an audit takes on average: a page of documentation, not the longest. */
const BYTES_OF_ONE = 64 * 1024

/** Limits of all that is sent and received, for an audit and more requests beside it. */
const wider = (limits: FetchLimits, beside: number): FetchLimits =>
  Object.assign({}, limits, {
    requests: limits.requests + beside,
    auditBytes: limits.auditBytes + beside * BYTES_OF_ONE,
    gatherMs: limits.gatherMs + beside * REQUEST_MILLISECONDS
  })

/** What to do about a folder without `--as`: the command, and the folder with what follows it. */
export const unpublishedText = (command: string, folder: string, rest = ""): string => {
  const path = plainText(folder, 200)
  return `${path} is a folder. Say where it will be published: ${command} ${path} --as https://docs.example.com${rest}`
}

const noticeOf = (...sentences: ReadonlyArray<string | undefined>): string | undefined =>
  sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined

/** An archive. */
export const replaySource = Effect.fnUntraced(function* (
  flags: SourceFlags,
  path: string
): Effect.fn.Return<AuditSource, CliFailure> {
  const { openArchive, replay } = yield* Effect.promise(() => import("../../engine/evidence/archive/Replay.ts"))
  const archive = yield* Effect.mapError(openArchive(path), ({ message }) => wrongUsage(`${path}: ${message}.`))
  const recorded = archive.run === null ? null : runRecordOf(archive.run)
  const given = Option.isNone(flags.url) ? null : yield* urlOfAnyKind(flags)
  const url = given ?? recorded?.url
  if (url === undefined) return yield* wrongUsage(`${path} does not say which URL was audited. Give the URL as well.`)
  if (recorded !== null && plainForm(url) !== plainForm(recorded.url)) {
    return yield* wrongUsage(
      `${path} is an archive of ${withoutPassword(recorded.url)}, not of ${withoutPassword(url)}. Omit the URL, or give the recorded one.`
    )
  }
  if (recorded !== null) yield* refuseRecorded(flags, path)
  return {
    transport: replay(archive),
    run: recorded ?? {
      url,
      date: yield* today,
      sampleSize: flagNumber(flags, "sample"),
      canonicalOrigin: yield* canonicalOriginOf(flags),
      limits: defaultLimits
    }
  }
})

/** What an archive says itself cannot be given again: another sample would need pages that were never fetched. */
const refuseRecorded = (flags: SourceFlags, path: string): Effect.Effect<void, CliFailure> => {
  const given = Option.isSome(flags.sample)
    ? "--sample"
    : Option.isSome(flags.canonicalOrigin)
      ? "--canonical-origin"
      : null
  return given === null
    ? Effect.void
    : Effect.fail(
        wrongUsage(
          `${given} cannot be used with an archive: ${path} was recorded with a value of its own. Omit it, or audit the site again.`
        )
      )
}

/** A folder with a static build, as the site that it will be published at. */
export const folderSource = Effect.fnUntraced(function* (
  flags: SourceFlags,
  publishedAt: string
): Effect.fn.Return<AuditSource, CliFailure> {
  if (Option.isNone(flags.url))
    return yield* wrongUsage("--as needs the folder to audit, as in: docgauge ./build --as https://docs.example.com")
  const [{ openFolder }, { folderTransport }] = yield* Effect.promise(() =>
    Promise.all([
      import("../../engine/evidence/folder/SiteFolder.ts"),
      import("../../engine/evidence/folder/FolderTransport.ts")
    ])
  )
  const path = flags.url.value
  const url = yield* urlOfAnyKind({ ...flags, url: Option.some(publishedAt) })
  const folder = yield* Effect.mapError(openFolder(path), ({ message }) =>
    wrongUsage(`${withoutPassword(path)}: ${message}.`)
  )
  return {
    notice: noticeOf(leftOutNotice(publishedAt, false), innerFolderNotice(path, url)),
    transport: folderTransport(folder, url),
    run: {
      url,
      date: yield* today,
      sampleSize: flagNumber(flags, "sample"),
      canonicalOrigin: yield* canonicalOriginOf(flags),
      limits: limitsWith({
        gatherMs: flagNumber(flags, "timeout") * 1_000,
        requests: retrievalsFor(flagNumber(flags, "sample"))
      })
    },
    folder
  }
})

/** Many give the folder of a whole site with the URL of its documentation, and would get a report about other URLs than their pages have. */
const innerFolderNotice = (folder: string, url: string): string | undefined => {
  const inner = join(folder, new URL(url).pathname)
  return inner === join(folder, "/") || !isFolder(inner)
    ? undefined
    : `${plainText(folder, 200)} is read as what is published at ${url}, though it has a folder of that path itself. If that is what you mean: ${plainText(inner, 200)} --as ${url}`
}

const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

/** The origin of `--canonical-origin`; `null` without it. */
export const canonicalOriginOf = ({ canonicalOrigin }: SourceFlags): Effect.Effect<string | null, CliFailure> => {
  if (Option.isNone(canonicalOrigin)) return Effect.succeed(null)
  const parsed = URL.parse(canonicalOrigin.value)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.pathname === "/"
    ? Effect.succeed(originOf(parsed.href))
    : Effect.fail(wrongUsage("--canonical-origin takes a scheme and host, such as https://docs.example.com"))
}
