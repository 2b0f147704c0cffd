import * as Schema from "effect/Schema"
import { FAULT_KINDS } from "../Exchange.ts"
import type { Hop, HopRequest } from "../Transport.ts"

/**
 * An archive is a standard WARC 1.1 file: a `warcinfo` record with the run (`RunInfo`), a `request` and a `response`
 * record for each hop that was answered, a `metadata` record for each that was not; every record a gzip member of its
 * own. Bodies are stored decompressed, as crawlers do: the headers that no longer hold are kept with `x-orig-` before
 * their names. `Recording` writes archives, `Replay` reads them. Where an archive has a size limit, `ArchiveCuts` says
 * which bodies are cut; a cut one has `WARC-Truncated: length` and `shortened` in its facts.
 */
export interface Recorded {
  readonly request: HopRequest
  readonly hop: Hop
  /** The ids of the criteria that lean on it, where that is known. */
  readonly askedBy?: ReadonlyArray<string>
  /** The collectors that asked for it, where that is known. */
  readonly callers?: ReadonlyArray<string>
}

export const isHttpAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    !/[\s\p{C}]/u.test(text)
  )
}

/** What an archive says of the run that it was recorded in: all that a replay needs beside the exchanges. */
export const RunInfo = Schema.Struct({
  /** Name and version of the engine, such as `docgauge/1.0.0`. */
  software: Schema.String,
  /** The run's date, `YYYY-MM-DD`. */
  date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)),
  /** The audited URL as it was given. */
  audited: Schema.String.check(Schema.makeFilter(isHttpAddress, { expected: "an http or https URL" })),
  /** The `User-Agent` of each agent. */
  agents: Schema.Struct({ docgauge: Schema.String, browser: Schema.String }),
  rubric: Schema.Struct({ id: Schema.String, version: Schema.String, digest: Schema.String }),
  /** `FetchLimits` in force. */
  limits: Schema.Record(Schema.String, Schema.Number),
  /** Whatever else the run was told, such as the sample size and the canonical origin. */
  parameters: Schema.JsonObject
})
export type RunInfo = typeof RunInfo.Type

/** An archive that cannot be written or read. `message` is one plain clause for people. */
export class ArchiveError extends Schema.TaggedError<ArchiveError>()("ArchiveError", {
  reason: Schema.Literals(["unreadable", "unwritable", "malformed", "too_large"]),
  message: Schema.String
}) {}

/** The content of a `metadata` record: a hop that got no answer. */
export const RecordedFault = Schema.Struct({
  asked: Schema.Struct({
    method: Schema.Literals(["GET", "POST"]),
    url: Schema.String,
    accept: Schema.String,
    agent: Schema.Literals(["docgauge", "browser"]),
    sentAs: Schema.optionalKey(Schema.Struct({ id: Schema.String, userAgent: Schema.String })),
    body: Schema.optionalKey(Schema.String)
  }),
  kind: Schema.Literals(FAULT_KINDS),
  message: Schema.String,
  /** As `HopFault.rateLimited`. */
  rateLimited: Schema.optionalKey(Schema.Literal(true))
})

/** What a `response` record says of the body beside what WARC has a name for, in `WARC-JSON-Metadata`. */
export const BodyFacts = Schema.Struct({
  wireBytes: Schema.Int,
  /** As `HopAnswer.rateLimited`. */
  rateLimited: Schema.optionalKey(Schema.Literal(true)),
  /** As `HopAnswer.droppedBytes`. */
  droppedBytes: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** The archive holds only the beginning of the body that the audit read, to keep to its size limit. */
  shortened: Schema.optionalKey(
    Schema.Struct({
      /** Length of the body that the audit read. */
      bytes: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
      /** As `HopAnswer.cut`: whether that was already cut by a fetch limit. */
      cut: Schema.Boolean,
      /** No criterion reads what is missing: a replay counts the body as whole. */
      unread: Schema.Boolean
    })
  )
})

/** The `warc-fields` name under which the run is kept in `warcinfo`, as JSON in one line. */
export const RUN_FIELD = "docgauge-run"
