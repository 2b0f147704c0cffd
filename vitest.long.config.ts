import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { builtProgram } from "./test/harness/program/BuildProgram.ts"
import { TEST_ENVIRONMENT } from "./test/harness/program/CompileCache.ts"
import { packagedModules } from "./test/harness/program/PackagedModules.ts"

/**
 * Files that are begun first, so that no long one is left alone at the end. Those that mostly wait are mixed with those that compute, so
 * that neither the cores nor the tests wait for one another.
 */
const FIRST = [
  "hostile/Hostile",
  "long/Package",
  "deploy/Proxies",
  "fuzz/Fuzz",
  "long/Action",
  "long/fix/Corpus",
  "browser/Pages",
  "corpus/Agreement.long",
  "upgrades/Upgrade.long",
  "golden/Mutations.long",
  "linear/Parsers.long",
  "hostile/Bombs"
].map((name) => `/test/${name}.test.ts`)

/** Tests that measure their own process, or watch the engine being loaded. */
const ALONE = ["test/linear/*.long.test.ts", "test/schedule/Auditor.long.test.ts", "test/hostile/Bombs.test.ts"]

/** Position in that list; files that are not in it come after it, larger ones first. */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = FIRST.findIndex((path) => moduleId.endsWith(path))
  return rank === -1 ? FIRST.length : rank
}

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

/** What takes minutes: `npm run test:long`, or one group of it: `npm run test:long -- test/hostile`. Many files mostly wait: two at a time for a core kept it busy for 73 % of the time, four keep it busy nearly all the time. */
export default defineConfig({
  plugins: [packagedModules, builtProgram],
  test: {
    env: { ...TEST_ENVIRONMENT },
    globalSetup: ["test/harness/PostgresOfRun.ts", "test/harness/program/PackOnce.ts"],
    pool: "forks",
    maxWorkers: 4 * availableParallelism(),
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 900_000,
    hookTimeout: 600_000,
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      {
        extends: true,
        test: {
          name: "beside",
          include: [
            "test/**/*.long.test.ts",
            ...["browser", "fuzz", "hostile", "long"].map((group) => `test/${group}/**/*.test.ts`)
          ],
          exclude: [...configDefaults.exclude, ...ALONE],
          // Each process that loads the engine anew takes two seconds of processor time.
          isolate: false
        }
      }
    ]
  }
})
