import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"

/**
 * Only guards against hangs, because machines are shared: a test that is about time measures it. No test is tried again: one that
 * fails now and then is wrong.
 */
const PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

/** What takes minutes: see vitest.long.config.ts and vitest.builds.config.ts. */
const LONG = ["test/hostile/**", "test/fuzz/**", "test/chaos/**", "test/long/**", "test/browser/**", "test/builds/**"]

/**
 * Tests that leave no global state behind. Their files share one load of the engine per process: loading it anew for each
 * file took 60 % of their processor time.
 */
const PURE = ["apispec", "audit", "criterion", "evidence", "golden", "limit", "page", "plugins", "rubric", "site", "store", "testing", "text"]
  .map((folder) => `test/${folder}/**/*.test.ts`)

/** Tests that start the program, which is built for them; a test that only reads modules does not wait for that. */
const PROGRAM = globSync("test/**/*.test.ts", { cwd: import.meta.dirname }).filter((file) => /\/(?:BuiltProgram|RunCli|MeasuredRun|McpProcess)\.ts"/.test(readFileSync(join(import.meta.dirname, file), "utf8")))

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...LONG],
    globalSetup: "test/harness/CiPostgres.ts",
    // A thread that ends while sqlite3 has work in flight takes the whole process with it.
    pool: "forks",
    // Many tests wait for a process or a server: no core is kept back.
    maxWorkers: "100%",
    ...PATIENCE,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "isolated", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, ...LONG, ...PURE, ...PROGRAM] } },
      { extends: true, test: { name: "program", include: PROGRAM, globalSetup: "test/harness/program/BuildProgram.ts" } }
    ]
  }
})
