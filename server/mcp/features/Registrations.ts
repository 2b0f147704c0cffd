import type { McpServer } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Audits } from "../audits/Audits.ts"
import { registerAuditTool } from "./AuditTool.ts"
import { registerReadinessPrompt } from "./Prompt.ts"
import { registerReportTool } from "./ReportTool.ts"
import { resourceReads } from "./ResourceReads.ts"
import { registerResources } from "./Resources.ts"
import type { RubricBook } from "./RubricMarkdown.ts"

/** All tools, resources and prompts of the server, the same over stdio and HTTP. */
export const registrations: Layer.Layer<never, never, Audits | RubricBook | McpServer> = Layer.mergeAll(
  Layer.effectDiscard(Effect.all([registerAuditTool, registerReportTool, registerReadinessPrompt], { discard: true })),
  Layer.effectDiscard(registerResources).pipe(Layer.provide(resourceReads.layer))
)
