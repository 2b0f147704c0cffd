import process from "node:process"
import { defineConfig } from "vitest/config"

/** Machines of CI are shared: a test with real time in it may be held up there once. */
const patience = process.env["CI"] === undefined ? { testTimeout: 20_000 } : { testTimeout: 60_000, hookTimeout: 60_000, retry: 1 }

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What takes minutes: see vitest.long.config.ts.
    exclude: ["test/hostile/**", "test/fuzz/**", "test/chaos/**", "test/long/**", "test/browser/**", "node_modules/**"],
    pool: "threads",
    // Many tests wait for a process or a server: no core is kept back.
    maxWorkers: "100%",
    ...patience
  }
})
