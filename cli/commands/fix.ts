import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Command } from "effect/cli"
import { availableParallelism } from "node:os"
import { type FixFlags, fixFlagGroups, fixFlags } from "../fix/FixFlags.ts"
import { FlagGroups } from "../io/Flags.ts"

/** Threads that read the pages of a build: with more, the thread that writes their files cannot keep up. */
const MOST_THREADS = 2

/** `docgauge fix`: writes files that raise the score, and proves by how much. */
export const fix = Command.make(
  "fix",
  fixFlags,
  Effect.fn("fix")(function* (flags: FixFlags) {
    const [{ fixAndPrint }, { ParserPool }, { BUILD_PARSER }] = yield* Effect.promise(() =>
      Promise.all([
        import("../fix/FixSite.ts"),
        import("../../engine/parse/ParserPool.ts"),
        import("../../engine/parse/ParserPool.ts")
      ])
    )
    yield* Effect.provide(
      fixAndPrint(flags),
      Option.isSome(flags.patch)
        ? ParserPool.layerWith({ thread: BUILD_PARSER, threads: Math.min(MOST_THREADS, availableParallelism()) })
        : ParserPool.layer
    )
  })
).pipe(
  Command.annotate(FlagGroups, fixFlagGroups),
  Command.withShortDescription("Write files that raise the score, and measure what they gain"),
  Command.withDescription(
    "Write files that raise the score (llms.txt, Markdown versions, sitemap, …) from what the site publishes, and measure what they gain"
  ),
  Command.withExamples([
    {
      command: "docgauge fix https://docs.example.com --ai search-only --host nginx",
      description: "Write the files to docgauge-fix/ and print the plan"
    },
    { command: "docgauge fix https://docs.example.com --prompt", description: "Print a prompt for a coding agent" },
    {
      command: "docgauge fix ./build --as https://docs.example.com --patch ./build",
      description: "As a step of a build: write into the static build"
    },
    { command: "docgauge fix --from audit.warc.gz --plan", description: "Plan from an archive, without the network" }
  ])
)
