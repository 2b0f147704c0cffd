import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { FILE_SHAPE } from "../audit/PrintReport.ts"
import type { CliFailure } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { writeTextFile } from "../io/TextFile.ts"
import { outputStyle, terminalWidth } from "../render/Terminal.ts"
import type { TextOptions } from "../render/TextReport.ts"
import type { DriftFlags } from "./DriftFlags.ts"
import { driftGithub } from "./DriftGithub.ts"
import { driftJson } from "./DriftJson.ts"
import { driftJUnit } from "./DriftJUnit.ts"
import type { DriftOutcome } from "./DriftOutcome.ts"
import { driftSarif } from "./DriftSarif.ts"
import { driftText } from "./DriftText.ts"

type DriftFormat = DriftFlags["format"]

type DriftRenderer = (outcome: DriftOutcome, shape: Pick<TextOptions, "style" | "width">) => string

const RENDERERS: Readonly<Record<DriftFormat, DriftRenderer>> = {
  text: driftText,
  json: driftJson,
  sarif: driftSarif,
  github: driftGithub,
  junit: driftJUnit
}

/** Prints what was found, or writes it to the file of `--output`. */
export const printDrift = (
  outcome: DriftOutcome,
  { format, noColor, output }: Pick<DriftFlags, "format" | "noColor" | "output">
): Effect.Effect<void, CliFailure, FileSystem.FileSystem> => {
  const render = RENDERERS[format]
  return Option.match(output, {
    onNone: () => writeOut(render(outcome, { width: terminalWidth(), style: outputStyle(noColor) }), format),
    onSome: (path) => writeTextFile(path, render(outcome, FILE_SHAPE))
  })
}
