import * as Effect from "effect/Effect"
import { type CliFailure, isGateFailure } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { failure } from "../render/report/GithubAnnotations.ts"

/** The page of a workflow's run shows what went wrong; goals that are missed or could not be judged have annotations already. */
export const annotateFailure = (failed: CliFailure): Effect.Effect<void> =>
  isGateFailure(failed)
    ? Effect.void
    : writeOut(failure((failed.annotation ?? failed.message).replaceAll("\ndocgauge: ", "\n")), "github")
