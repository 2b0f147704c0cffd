import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

/** Exit codes. `Supervisor.ts` exits with 130 or 143 after a signal; 70 (`EX_SOFTWARE`) means a bug in docgauge. */
export const ExitCode = { belowTarget: 1, wrongUsage: 2, notAudited: 3, notReliable: 4, ownFault: 70 } as const

/** Ends the program with a code and one or two lines on stderr: what happened, what to do. */
export class CliFailure extends Schema.TaggedError<CliFailure>()("CliFailure", {
  code: Schema.Literals([1, 2, 3, 4, 70]),
  message: Schema.String,
  /** What GitHub's annotation says, where it is not the whole message: missed goals have annotations of their own. */
  annotation: Schema.optional(Schema.String)
}) {
  override get [Runtime.errorExitCode](): number {
    return this.code
  }
}

/** Whether a goal is missed or the report is not reliable, and the command did all else that it was asked for. */
export const isGateFailure = ({ code }: CliFailure): boolean =>
  code === ExitCode.belowTarget || code === ExitCode.notReliable

/** For commands that got nothing to audit. */
export const NO_URL = "no URL given. Pass the documentation's URL, such as https://docs.example.com"

export const wrongUsage = (message: string): CliFailure => new CliFailure({ code: ExitCode.wrongUsage, message })
