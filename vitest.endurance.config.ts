import { defineConfig } from "vitest/config"
import { builtProgram } from "./test/harness/program/BuildProgram.ts"
import { TEST_ENVIRONMENT } from "./test/harness/program/CompileCache.ts"

const HOUR = 60 * 60 * 1_000

/** What takes an hour or so, with random seeds that are printed: `npm run test:endurance`, or one file of it. Not part of CI. */
export default defineConfig({
  plugins: [builtProgram],
  test: {
    include: ["test/**/*.endurance.ts"],
    env: { ...TEST_ENVIRONMENT },
    pool: "forks",
    maxWorkers: 1,
    // Printed seeds are there at once, and not only when a test is over.
    disableConsoleIntercept: true,
    testTimeout: 3 * HOUR,
    hookTimeout: HOUR
  }
})
