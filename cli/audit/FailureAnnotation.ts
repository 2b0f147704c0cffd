import * as Effect from "effect/Effect"
import { type CliFailure, ExitCode } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { failure } from "../render/report/GithubAnnotations.ts"

/** The page of a workflow's run shows why nothing was audited; goals that are missed have annotations already. */
export const annotateFailure = ({ code, message }: CliFailure): Effect.Effect<void> =>
  code === ExitCode.wrongUsage || code === ExitCode.notAudited ? writeOut(failure(message.replaceAll("\ndocgauge: ", "\n")), "github") : Effect.void
