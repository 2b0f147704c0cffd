import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import { type DriftFinding, DriftReport } from "../../engine/drift/Drift.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/JsonFile.ts"

/** Reads the findings of `--baseline`. */
export const readKnownDrift = (
  path: string
): Effect.Effect<ReadonlyArray<DriftFinding>, CliFailure, FileSystem.FileSystem> =>
  existsSync(path)
    ? Effect.map(
        readJsonFile(path, DriftReport, "what docgauge drift writes with --format json"),
        ({ findings }) => findings
      )
    : Effect.fail(
        wrongUsage(
          `there is no baseline at ${plainText(path, 200)} yet. Write it once, and keep it: docgauge drift … --format json --output ${plainText(path, 200)}`
        )
      )

/** The findings that are not known; what is known once is new where it is found a second time. */
export const freshFindings = (
  findings: ReadonlyArray<DriftFinding>,
  known: ReadonlyArray<DriftFinding>
): ReadonlySet<DriftFinding> => {
  const left = new Map<string, number>()
  for (const finding of known) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1)
  return new Set(
    findings.filter((finding) => {
      const count = left.get(keyOf(finding)) ?? 0
      left.set(keyOf(finding), count - 1)
      return count <= 0
    })
  )
}

/** Text above a finding moves its line, a preview has another host, and a description may be a file: none makes it another finding. */
export const keyOf = ({ description, expected, found, kind, other, page, reason }: DriftFinding): string =>
  JSON.stringify([
    kind,
    reason,
    pathOf(page?.url),
    pathOf(other?.url),
    description?.pointer ?? "",
    found === "" ? expected : found
  ])

const pathOf = (url = ""): string => {
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.pathname + parsed.search
}
