import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

/** Exit codes; 130 and 143 are what `Supervisor.ts` ends with after a signal, 70 (`EX_SOFTWARE`) says that docgauge itself is at fault. */
export const ExitCode = { belowTarget: 1, wrongUsage: 2, notAudited: 3, ownFault: 70 } as const

/** Ends the program with a code and one or two lines on stderr: what happened, what to do. */
export class CliFailure extends Schema.TaggedError<CliFailure>()("CliFailure", {
  code: Schema.Literals([1, 2, 3, 70]),
  message: Schema.String
}) {
  override get [Runtime.errorExitCode](): number {
    return this.code
  }
}

export const wrongUsage = (message: string): CliFailure => new CliFailure({ code: ExitCode.wrongUsage, message })
