import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Command } from "effect/cli"
import { auditFlagGroups, type AuditFlags, auditFlags, configFile } from "../audit/AuditFlags.ts"
import { checkFlags } from "../audit/FlagConflicts.ts"
import { FlagGroups } from "../io/Flags.ts"

const runAudit = (given: AuditFlags) => {
  const run = loadAndRun({ ...given, config: configFile(given) })
  return given.format !== "github"
    ? run
    : Effect.tapError(run, (failure) =>
        Effect.flatMap(
          Effect.promise(() => import("../render/report/GithubAnnotations.ts")),
          ({ annotateFailure }) => annotateFailure(failure)
        )
      )
}

/** The modules of an audit are imported when one is run. */
const loadAndRun = Effect.fn("audit")(function* (flags: AuditFlags) {
  yield* checkFlags(flags)
  if (Option.isSome(flags.config)) {
    const { auditConfigured } = yield* Effect.promise(() => import("../config/ConfiguredAudits.ts"))
    return yield* auditConfigured(flags, flags.config.value)
  }
  const { auditAndPrint } = yield* Effect.promise(() => import("../audit/AuditAndPrint.ts"))
  yield* auditAndPrint(flags)
})

/** `docgauge audit <base-url>`: the root command by a name, for `--wizard` and for those who expect one. */
export const audit = Command.make("audit", auditFlags, runAudit).pipe(
  Command.annotate(FlagGroups, auditFlagGroups),
  Command.withDescription("Audit a site; the same as docgauge without a command"),
  Command.withExamples([
    { command: "docgauge audit https://docs.example.com", description: "The same as docgauge https://docs.example.com" }
  ])
)

/** `docgauge <base-url>`, the root command. */
export const docgauge = Command.make("docgauge", auditFlags, runAudit).pipe(
  Command.annotate(FlagGroups, auditFlagGroups),
  Command.withDescription("Audit how well AI agents can find, read, call and act on API documentation"),
  Command.withExamples([
    { command: "docgauge https://docs.example.com", description: "Audit a site and print what to fix next" },
    {
      command: "docgauge https://docs.example.com --write json=report.json --min-score 75",
      description: "In CI: also save the report, fail below 75"
    },
    {
      command: "docgauge ./build --as https://docs.example.com",
      description: "Audit a static build before it is published"
    },
    {
      command: "docgauge https://preview.example.net --canonical-origin https://docs.example.com",
      description: "Audit a preview whose links point to production"
    }
  ])
)
