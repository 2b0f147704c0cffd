import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"
import { builtProgram } from "./test/harness/program/BuildProgram.ts"
import { TEST_ENVIRONMENT } from "./test/harness/program/CompileCache.ts"
import { packagedModules } from "./test/harness/program/PackagedModules.ts"

/**
 * Only guards against hangs, because machines are shared: a test that is about time measures it. No test is tried again: one that
 * fails now and then is wrong.
 */
const PATIENCE = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } }

/** What takes minutes, or shows the limits of one part at a great price: see vitest.long.config.ts and vitest.builds.config.ts. */
const LONG = [
  "test/**/*.long.test.ts",
  "test/hostile/**",
  "test/fuzz/**",
  "test/chaos/**",
  "test/long/**",
  "test/browser/**",
  "test/builds/**"
]

/**
 * Tests that measure the memory of their own process, that change its environment, or that watch the engine being loaded: each file has a
 * process of its own. All other files share one load of the engine per process, because that takes seconds of processor time.
 */
const ISOLATED = ["test/linear/Patterns.test.ts"]

export default defineConfig({
  plugins: [packagedModules, builtProgram],
  test: {
    env: { ...TEST_ENVIRONMENT },
    exclude: [...configDefaults.exclude, ...LONG],
    globalSetup: "test/harness/PostgresOfRun.ts",
    // A thread that ends while sqlite3 has work in flight takes the whole process with it.
    pool: "forks",
    // Many tests wait for a process, a claim or a server.
    maxWorkers: 3 * availableParallelism(),
    ...PATIENCE,
    isolate: false,
    projects: [
      { extends: true, test: { name: "isolated", include: ISOLATED, isolate: true } },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...LONG, ...ISOLATED]
        }
      }
    ]
  }
})
