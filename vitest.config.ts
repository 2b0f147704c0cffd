import process from "node:process"
import { defineConfig } from "vitest/config"

/** Machines of CI are shared, so tests may take longer there. No test is tried again: one that fails now and then is wrong. */
const patience = process.env["CI"] === undefined ? { testTimeout: 20_000 } : { testTimeout: 60_000, hookTimeout: 60_000 }

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
