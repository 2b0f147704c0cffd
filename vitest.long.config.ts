import process from "node:process"
import { defineConfig } from "vitest/config"

/** What takes minutes: `npm run test:long`. One file at a time, so that measurements are of one thing. */
export default defineConfig({
  test: {
    include: ["test/long/**/*.test.ts", "test/browser/**/*.test.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    retry: process.env["CI"] === undefined ? 0 : 1
  }
})
