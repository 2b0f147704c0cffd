import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { FactsFile, runsOfFacts } from "../../engine/audit/compare/FactsFile.ts"
import { StoredReport, type StoredRun, type UnreadableRun } from "../../engine/audit/StoredRun.ts"
import { openArchive } from "../../engine/evidence/archive/Replay.ts"

const decode = Schema.decodeUnknownOption(StoredReport)

const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** A run from the text of its report and the path of its archive, if it has one. */
export const runFrom = (name: string, text: string, archive: string | null): StoredRun | UnreadableRun => {
  const report = Option.flatMap(parsed(text), decode)
  return Option.isNone(report)
    ? { name, unreadable: "it is not a docgauge report" }
    : { name, report: report.value, archive: archive === null ? null : archiveAt(archive) }
}

const decodeFacts = Schema.decodeUnknownOption(FactsFile)

/** The runs of a JSON file: those of a file of facts, else that of one report. */
export const runsFrom = (
  name: string,
  text: string,
  archive: string | null
): ReadonlyArray<StoredRun | UnreadableRun> => {
  const facts = Option.flatMap(parsed(text), decodeFacts)
  return Option.isSome(facts) ? runsOfFacts(facts.value, name) : [runFrom(name, text, archive)]
}

export const archiveAt = (path: string): NonNullable<StoredRun["archive"]> =>
  Effect.mapError(openArchive(path), ({ message }) => `its archive cannot be used: ${message}`)
