import type { RunInfo } from "../../../engine/evidence/archive/Archive.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"

/** What an archive says of its run. */
export const RUN: RunInfo = {
  software: "docgauge/1.2.3",
  date: "2026-11-21",
  audited: "https://docs.example.com",
  agents: userAgents("1.2.3", null),
  rubric: { id: "docs-ai-readiness", version: "1.0.0", digest: "sha256:abc" },
  limits: Object.fromEntries(Object.entries(defaultLimits)),
  parameters: {}
}
