import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { AuditProcessDied } from "../../engine/process/AuditProcess.ts"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"
import type { Post, PostAnswer } from "../../engine/process/AuditTask.ts"
import { layerAuditProcesses } from "../audits/AuditProcessLayer.ts"
import { agentAddress, reach } from "../config/Settings.ts"

/** Posts messages to receivers of webhooks. */
export class WebhookPosts extends Context.Service<
  WebhookPosts,
  {
    /** Posts at most `MOST_POSTS` at once; returns what came of each, in the same order. */
    readonly post: (posts: ReadonlyArray<Post>) => Effect.Effect<ReadonlyArray<PostAnswer>, AuditProcessDied>
  }
>()("docgauge/server/WebhookPosts") {
  /**
   * In an audit process, so that the serving one never reads what a receiver sends; it has a pool of its own, so that deliveries and audits
   * do not wait for each other. Its process is started when there is something to send, and ends when it was idle for a minute.
   */
  static readonly layer: Layer.Layer<WebhookPosts, Config.ConfigError> = Layer.effect(
    WebhookPosts,
    Effect.gen(function* () {
      const processes = yield* AuditProcesses
      const network = { ...(yield* reach), userAgents: userAgents(ENGINE_VERSION, yield* agentAddress) }
      return { post: (posts) => processes.post({ kind: "post", posts, network }) }
    })
  ).pipe(Layer.provide(layerAuditProcesses(1)))
}
