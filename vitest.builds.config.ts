import { defineConfig } from "vitest/config"

const MINUTE = 60_000

/** Sites that are built with real generators, fixed and built again: `npm run test:fix`. Needs npm and a network; what cannot be installed is skipped, and said. Not part of CI. */
export default defineConfig({
  test: {
    include: ["test/builds/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 15 * MINUTE,
    hookTimeout: 20 * MINUTE
  }
})
