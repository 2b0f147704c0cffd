import { resolve } from "node:path"

/** Environment of a run of vitest: what tests start caches compiled code here, and not in the home of the person who runs them, or in each test's own folder anew; and the audits of tests share the processor with them. */
export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, "../../../node_modules/.cache/docgauge-compiled"),
  DOCGAUGE_AUDIT_NICENESS: "0"
}
