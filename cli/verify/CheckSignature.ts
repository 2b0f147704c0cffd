import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { issuerUrl, type ReportClaims } from "../../engine/audit/signature/ReportClaims.ts"
import {
  isSignedWith,
  namedKey,
  type ReadSignature,
  readSignature,
  reportDigest
} from "../../engine/audit/signature/ReportSignature.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { AuditReport } from "../../engine/audit/Report.ts"
import { hasDuplicateNames, isWithinDepth, MOST_CLIENT_DEPTH } from "../../engine/text/JsonText.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readForeignText } from "../io/Files.ts"

/** Maximum size of a file with a report in bytes, as of an answer that `--server` reads. */
const MOST_BYTES = 16 * 1_024 * 1_024

const WHAT = "a run or a report of a docgauge service in JSON"

const { base_url, criteria, rubric, total_score } = AuditReport.fields

/** What of a report is printed, from whatever version of docgauge. */
const ShownReport = Schema.Struct({
  base_url,
  total_score,
  rubric,
  reliability: Schema.optionalKey(Schema.Struct({ reliable: Schema.Boolean })),
  criteria: Schema.Array(Schema.Struct({ id: criteria.value.fields.id }))
})
type ShownReport = typeof ShownReport.Type

/** A file that may have a signed report. */
export interface SignedFile {
  readonly path: string
  /** The run around the report; `null` if the file is the report alone. */
  readonly run: Schema.JsonObject | null
  readonly report: Schema.Json
  /** Of the report, with texts that are safe to show. */
  readonly shown: ShownReport
  /** Whether two members of an object have one name, so that another parser may read another report. */
  readonly isAmbiguous: boolean
}

/** Reads a file that is as untrusted as what it says. */
export const readSignedFile = Effect.fnUntraced(function* (path: string): Effect.fn.Return<SignedFile, CliFailure> {
  const name = plainText(path, 200)
  const text = yield* readForeignText(path, MOST_BYTES, WHAT)
  if (!isWithinDepth(text, MOST_CLIENT_DEPTH))
    return yield* wrongUsage(`${name} is not ${WHAT}: it is nested deeper than ${MOST_CLIENT_DEPTH} levels.`)
  const document = Option.getOrNull(readJson(text))
  if (!isObject(document)) return yield* wrongUsage(`${name} is not ${WHAT}.`)
  const run = "run_id" in document ? document : null
  const report = run === null ? document : run["report"]
  if (!isObject(report))
    return yield* wrongUsage(`${name} is a run without a report. Save it again once its status is done.`)
  const shown = yield* Effect.mapError(readInert(JSON.stringify(report), ShownReport), ({ message }) =>
    wrongUsage(`${name} is not ${WHAT}: ${message}`)
  )
  return { path: name, run, report, shown, isAmbiguous: hasDuplicateNames(text) }
})

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const isObject = (value: Schema.Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A report is not what a service signed; the message says what is wrong and what to do. */
class NotVerified extends Data.TaggedError("NotVerified")<{
  readonly reason:
    | "not_signed"
    | "ambiguous"
    | "malformed_signature"
    | "other_issuer"
    | "changed"
    | "unknown_key"
    | "false_signature"
  readonly message: string
}> {}

/** A signed report. */
export interface Verified {
  readonly claims: ReportClaims
  readonly keyId: string
  readonly keySource: string
  /** Members of the run that the signature does not cover. */
  readonly unsigned: ReadonlyArray<string>
}

/** Keys to verify with, and where they are from, as a clause. */
export interface IssuerKeys {
  readonly keys: ReadonlyArray<Schema.Json>
  readonly source: string
}

/** How a file is checked. */
interface CheckOptions<E> {
  /** The signature, where the file is a report alone. */
  readonly given: string | null
  /** The service that must have signed, as `issuerUrl` spells it; `null`: any. */
  readonly issuer: string | null
  readonly keysOf: (issuer: string) => Effect.Effect<IssuerKeys, E>
}

const SAVE_AGAIN = "Get the run again from the service: GET /api/public/audit/ID."

/** Checks all that needs no keys first: a file that was changed causes no request. */
export const checkSignature = Effect.fnUntraced(function* <E>(
  file: SignedFile,
  { given, issuer, keysOf }: CheckOptions<E>
): Effect.fn.Return<Verified, NotVerified | E> {
  const signature = yield* signatureOf(file, given)
  const { claims, keyId } = signature
  const by = plainText(claims.iss, 300)
  if (issuer !== null && claims.iss !== issuer)
    return yield* new NotVerified({
      reason: "other_issuer",
      message: `${file.path} names ${by} as the service that signed it, not ${issuer}. Trust it only if you know that service.`
    })
  const changed = changedMembers(file, claims)
  if (changed.length > 0)
    return yield* new NotVerified({
      reason: "changed",
      message: `${file.path} was changed after it was signed (${changed.join(", ")}). ${SAVE_AGAIN}`
    })
  const { keys, source } = yield* keysOf(claims.iss)
  const key = yield* Effect.promise(() => namedKey(signature, keys))
  if (key === null)
    return yield* new NotVerified({
      reason: "unknown_key",
      message: `The key ${plainText(keyId, 60)}, which ${file.path} names, is not among those ${source}. If the service has a new key, get the run again; else the signature is not its own.`
    })
  if (!(yield* Effect.promise(() => isSignedWith(signature, key))))
    return yield* new NotVerified({
      reason: "false_signature",
      message: `The signature of ${file.path} was not made with the key ${plainText(keyId, 60)}. ${SAVE_AGAIN}`
    })
  return { claims, keyId, keySource: source, unsigned: unsignedMembers(file) }
})

const signatureOf = (
  { isAmbiguous, path, run }: SignedFile,
  given: string | null
): Effect.Effect<ReadSignature, NotVerified> => {
  const text = given ?? run?.["signature"]
  if (typeof text !== "string")
    return Effect.fail(
      new NotVerified({
        reason: "not_signed",
        message: `${path} is not signed: only reports of a service are, not those that docgauge makes on your machine. ${run === null ? "If a service made it, pass its X-Audit-Signature with --signature." : SAVE_AGAIN}`
      })
    )
  if (isAmbiguous)
    return Effect.fail(
      new NotVerified({
        reason: "ambiguous",
        message: `${path} has an object with two members of one name, so that other programs may read another report. ${SAVE_AGAIN}`
      })
    )
  const read = readSignature(text)
  if (Result.isFailure(read)) return Effect.fail(malformed(path, read.failure))
  return issuerUrl(read.success.claims.iss) === read.success.claims.iss
    ? Effect.succeed(read.success)
    : Effect.fail(malformed(path, "the service that it names is no URL of one"))
}

const malformed = (path: string, clause: string): NotVerified =>
  new NotVerified({
    reason: "malformed_signature",
    message: `The signature of ${path} cannot be checked: ${clause}. ${SAVE_AGAIN}`
  })

/** What a run says beside its report, as far as the signature covers it. */
const signedMembers = ({ shown }: SignedFile, { base_url, run_id, started_at }: ReportClaims) => ({
  run_id,
  status: "done",
  total_score: shown.total_score,
  ...(shown.reliability === undefined ? {} : { reliable: shown.reliability.reliable }),
  base_url,
  started_at,
  share_url: `/r/${run_id}`
})

/** The members that are not what was signed. */
const changedMembers = (file: SignedFile, claims: ReportClaims): ReadonlyArray<string> => {
  const around = file.run === null ? {} : signedMembers(file, claims)
  return [
    ...Object.entries(around).flatMap(([name, value]) => (file.run?.[name] === value ? [] : [name])),
    ...(reportDigest(file.report) === claims.report_sha256 ? [] : ["report"])
  ]
}

const COVERED: ReadonlySet<string> = new Set([
  "run_id",
  "status",
  "total_score",
  "reliable",
  "base_url",
  "started_at",
  "share_url",
  "report",
  "signature"
])

const unsignedMembers = ({ run }: SignedFile): ReadonlyArray<string> =>
  Object.keys(run ?? {}).filter((name) => !COVERED.has(name))
