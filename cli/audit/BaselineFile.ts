import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { AuditReport } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/Files.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/** Reads a baseline. If there is none yet, as in the first build, the error says how to write it. */
export const readBaseline = (
  path: string,
  flags: Pick<AuditFlags, "as" | "url">
): Effect.Effect<AuditReport, CliFailure, FileSystem.FileSystem> =>
  existsSync(path)
    ? readJsonFile(path, AuditReport, "a docgauge report in JSON")
    : Effect.fail(
        wrongUsage(
          `there is no baseline at ${plainText(path, 200)} yet. Write it once, and keep it: docgauge ${audited(flags)} --format json --output ${plainText(path, 200)}`
        )
      )

/** What is audited, as on a command line. */
const audited = ({ as, url }: Pick<AuditFlags, "as" | "url">): string => {
  const site = plainText(
    Option.getOrElse(url, () => "https://docs.example.com"),
    200
  )
  return Option.match(as, {
    onNone: () => site,
    onSome: (publishedAt) => `${site} --as ${plainText(publishedAt, 200)}`
  })
}
