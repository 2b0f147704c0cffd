/**
 * `npm run test:foreign [WORD]`: fetches test suites and checkers of others from npm and Debian into a temporary folder, runs
 * them, or those whose name has that word, and prints a table. Exits with 1 where a difference is not explained.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fetchPackages, isInstalled } from "./Fetch.ts"
import type { Packages, Suite } from "./Suite.ts"
import { gitHubSchema, goOpenApi, readmeExamples, yamlSuite } from "./suites/ApiDescriptions.ts"
import { dockerfileValidator } from "./suites/Dockerfile.ts"
import { afdocs, agentReadability, nu, promtool } from "./suites/OwnService.ts"
import { protego, robotsParser } from "./suites/Robots.ts"
import { sitemapWriter } from "./suites/Sitemaps.ts"

const SUITES: ReadonlyArray<Suite> = [
  robotsParser,
  protego,
  sitemapWriter,
  readmeExamples,
  goOpenApi,
  gitHubSchema,
  yamlSuite,
  promtool,
  dockerfileValidator,
  nu,
  afdocs,
  agentReadability
]

/** Differences of one suite that are printed. */
const SHOWN = 20

const runSuite = async (suite: Suite, packages: Packages): Promise<number> => {
  const missing = [
    ...(suite.programs ?? []).filter((program) => !isInstalled(program)),
    ...(suite.debian ?? []).filter((name) => packages.debian(name) === null)
  ]
  if (missing.length > 0) {
    console.log(`| ${suite.name} | – | – | – | – | needs ${missing.join(", ")} |`)
    return 0
  }
  const { cases, differences } = await suite.run(packages)
  const whyOf = (difference: string) => suite.explained.find((each) => each.difference.test(difference))?.why
  const unexplained = differences.filter((difference) => whyOf(difference) === undefined)
  const reasons = [...new Set(differences.flatMap((difference) => whyOf(difference) ?? []))]
  console.log(
    `| ${suite.name} | ${[cases, cases - differences.length, differences.length - unexplained.length, unexplained.length].map((count) => count.toLocaleString("en")).join(" | ")} | ${reasons.join(" ")} |`
  )
  for (const difference of unexplained.slice(0, SHOWN)) console.error(`  ${difference}`)
  return unexplained.length
}

const [, , word = ""] = process.argv
const chosen = SUITES.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()))
const folder = mkdtempSync(join(tmpdir(), "docgauge-foreign-"))
try {
  const packages = fetchPackages(folder, chosen)
  console.log("| suite | cases | agree | explained | not explained | why |\n|---|---|---|---|---|---|")
  let unexplained = 0
  for (const suite of chosen) unexplained += await runSuite(suite, packages)
  process.exitCode = unexplained === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
