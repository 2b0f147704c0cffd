import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { DEFAULTS } from "../../cli/audit/AuditFlags.ts"
import { MOST_PAGES } from "../../engine/fix/open/OpeningCost.ts"
import { AUDIT_REQUESTS, AUDIT_RETRIEVALS, RETRIEVALS_PER_PAGE } from "../../engine/evidence/AuditBudget.ts"
import { MOST_ARCHIVE_BYTES } from "../../engine/evidence/archive/ArchiveCuts.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { SILENCE_MS } from "../../engine/external/ExternalLimits.ts"
import { graceMs, longestFix, slowFix } from "../../engine/process/ProcessLimits.ts"
import { MOST_OF_DOMAIN } from "../../engine/store/archives/ArchiveRetention.ts"
import { LEAST_FREE_BYTES } from "../../engine/store/archives/ArchiveSpace.ts"
import { AnswerTooLong } from "../../server/client.ts"
import { MOST_PLANS } from "../../server/fixes/PlanTurns.ts"
import { HAND_OVER_MS } from "../../server/Serve.ts"

const ROOT = join(import.meta.dirname, "../..")
const MB = 2 ** 20

const { auditBytes, gatherMs, perHost } = defaultLimits
const rubric = { file: "rubric.yaml", content: null, digest: "", pluginSeconds: null }
const [ofAnswer = ""] = /\d+ MB/.exec(new AnswerTooLong({ url: "" }).message) ?? []

/** Pages, and what they must say: the figures are where the code defines them. */
const FIGURES: ReadonlyArray<readonly [page: string, text: string]> = [
  [
    "README.md",
    `At most ${AUDIT_RETRIEVALS} URLs (${AUDIT_REQUESTS} requests with redirects and retries) and ${auditBytes / MB} MB, at most ${perHost} at once, within ${gatherMs / 1_000} seconds`
  ],
  [
    "docs/requests.md",
    `At most ${AUDIT_RETRIEVALS} URLs (${RETRIEVALS_PER_PAGE} more for each page that \`--sample\` adds), ${AUDIT_REQUESTS} requests with redirects and retries, and ${auditBytes / MB} MB`
  ],
  ["docs/requests.md", `At most ${perHost} requests at once`],
  [
    "server/docs/bot.md",
    `asks for at most ${AUDIT_RETRIEVALS} URLs, with redirects and retries ${AUDIT_REQUESTS} requests, and receives at most ${auditBytes / MB} MB`
  ],
  ["server/docs/v1/limits.md", `${AUDIT_RETRIEVALS} URLs, ${AUDIT_REQUESTS} requests with redirects and retries`],
  ["docs/requests.md", `${gatherMs / 1_000} seconds (\`--timeout\`)`],
  [
    "docs/cli.md",
    `after ${1 + graceMs(DEFAULTS.timeout * 1_000) / (DEFAULTS.timeout * 1_000)} times that (at least ${graceMs(0) / 1_000} s longer)`
  ],
  ["docs/cli.md", `At most ${ofAnswer} of an answer`],
  ["docs/cli.md", `at most ${MOST_PAGES.toLocaleString("en")}`],
  ["docs/configuration.md", `(at least ${graceMs(0) / 1_000} seconds)`],
  ["docs/configuration.md", `at most ${HAND_OVER_MS / 1_000} seconds later`],
  ["docs/configuration.md", `${SILENCE_MS / 1_000} s of CPU time without a request to \`site\``],
  ["docs/configuration.md", `within ${longestFix({ isSlow: false, rubric }) / 1_000} seconds`],
  [
    "docs/configuration.md",
    `took over ${slowFix(rubric) / 1_000} seconds, its next one comes after those of others and has ${longestFix({ isSlow: true, rubric }) / 1_000}.`
  ],
  ["docs/configuration.md", `At most ${MOST_PLANS} plans may be unfinished`],
  ["docs/operating.md", `It has at most ${MOST_ARCHIVE_BYTES / MB} MB`],
  ["docs/operating.md", `at most ${MOST_OF_DOMAIN} archives`],
  ["docs/operating.md", `less than ${LEAST_FREE_BYTES / MB} MB of disk space are free`]
]

it.each(FIGURES)("%s says, as the code does: %s", (page, text) => {
  expect(readFileSync(join(ROOT, page), "utf8").replaceAll(/\s+/g, " ")).toContain(text)
})
