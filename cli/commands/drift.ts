import * as Effect from "effect/Effect"
import { Command } from "effect/cli"
import { type DriftFlags, driftFlagGroups, driftFlags } from "../drift/DriftFlags.ts"
import { FlagGroups } from "../io/Flags.ts"

const runDrift = (flags: DriftFlags) =>
  flags.format === "github"
    ? Effect.tapError(loadAndRun(flags), (failure) =>
        Effect.flatMap(
          Effect.promise(() => import("../render/report/GithubAnnotations.ts")),
          ({ annotateFailure }) => annotateFailure(failure)
        )
      )
    : loadAndRun(flags)

const loadAndRun = Effect.fn("drift")(function* (flags: DriftFlags) {
  const [{ driftAndPrint }, { ParserPool }] = yield* Effect.promise(() =>
    Promise.all([import("../drift/DriftSite.ts"), import("../../engine/parse/ParserPool.ts")])
  )
  yield* Effect.provide(driftAndPrint(flags), ParserPool.layer)
})

/** `docgauge drift`: tells where pages, examples and the API description say different things. */
export const drift = Command.make("drift", driftFlags, runDrift).pipe(
  Command.annotate(FlagGroups, driftFlagGroups),
  Command.withShortDescription("Find examples and calls that the API description contradicts"),
  Command.withDescription(
    "Find where examples, calls, tables and figures of a documentation say something else than its API description"
  ),
  Command.withExamples([
    {
      command: "docgauge drift https://docs.example.com",
      description: "Compare a site with the description it publishes"
    },
    {
      command: "docgauge drift ./build --as https://docs.example.com --spec openapi.yaml",
      description: "Compare a static build with a description that is not published"
    },
    {
      command: "docgauge drift https://docs.example.com --baseline drift.json",
      description: "Fail only on what an earlier --format json does not have"
    },
    { command: "docgauge drift --replay audit.warc.gz", description: "Compare from an archive, without the network" }
  ])
)
