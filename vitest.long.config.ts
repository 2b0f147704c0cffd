import { defineConfig } from "vitest/config"

/** What takes minutes: `npm run test:long`, or one group of it: `npm run test:long -- test/hostile`. Two files at a time, and within a file what says that it mostly waits: figures are the bench's. */
export default defineConfig({
  test: {
    include: ["hostile", "fuzz", "chaos", "long", "browser"].map((group) => `test/${group}/**/*.test.ts`),
    globalSetup: ["test/harness/program/BuildProgram.ts", "test/harness/program/PackOnce.ts"],
    pool: "forks",
    maxWorkers: 2,
    maxConcurrency: 12,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 900_000,
    hookTimeout: 600_000
  }
})
