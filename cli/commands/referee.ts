import { Argument, Command } from "effect/cli"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import { formatFlag, noColor } from "../io/Flags.ts"
import { readJsonFile } from "../io/Files.ts"
import { printReferee, refereeFiles } from "../referee/RefereeReports.ts"

/** `docgauge referee`: explains why other tools judge a site otherwise. */
export const referee = Command.make(
  "referee",
  {
    ours: Argument.String("report").pipe(
      Argument.withDescription("docgauge's report of the site (--format json --output docgauge.json)")
    ),
    others: Argument.String("other").pipe(
      Argument.withDescription(
        "Reports of other tools about it, in JSON: AFDocs, Lighthouse, Redocly CLI, agent-readability, a14y, ax-audit or Cloudflare's scan"
      ),
      Argument.atLeast(1)
    ),
    format: formatFlag(["text", "markdown", "json"], "Output format. --format markdown"),
    noColor
  },
  Effect.fn("referee")(function* ({ format, noColor, others, ours }) {
    const report = yield* readJsonFile(ours, AuditReport, "a docgauge report in JSON")
    const files = yield* Effect.forEach(others, (file) =>
      Effect.map(readJsonFile(file, Schema.Unknown, "a report of a tool in JSON"), (report) => ({ file, report }))
    )
    yield* printReferee(yield* refereeFiles(report, files), format, noColor)
  })
).pipe(
  Command.withShortDescription("Explain why another tool gives the site another score"),
  Command.withDescription(
    "Hold reports of other tools against docgauge's, check by check: where they agree, who asks for more, and which exchange decides where they contradict each other"
  ),
  Command.withExamples([
    {
      command: "docgauge referee docgauge.json afdocs.json",
      description: "Why is my score there 100 and here 33?"
    },
    {
      command: "docgauge referee docgauge.json lighthouse.json redocly.json --format markdown",
      description: "Several tools at once, for an issue"
    }
  ])
)
