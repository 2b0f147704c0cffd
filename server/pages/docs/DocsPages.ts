import * as Context from "effect/Context"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { limitSettings } from "../../../engine/limit/LimitSettings.ts"
import { contractDocument } from "../../api/Contract.ts"
import { tokenLife } from "../../oauth/OAuthSettings.ts"
import { type Addresses, addresses, agentAddress, contact, gatherSeconds } from "../../config/Settings.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocsBook, makeDocsBook } from "./DocsBook.ts"

/** The documentation of this service, loaded on first use so that the start does not wait for it. */
export class DocsPages extends Context.Service<
  DocsPages,
  {
    readonly addresses: Addresses
    readonly facts: Effect.Effect<DocFacts>
    readonly book: Effect.Effect<DocsBook>
  }
>()("docgauge/server/pages/DocsPages") {
  static readonly layer: Layer.Layer<DocsPages, Config.ConfigError> = Layer.effect(
    DocsPages,
    Effect.gen(function* () {
      const places = yield* addresses
      const settings = {
        addresses: places,
        limits: yield* limitSettings,
        gatherSeconds: yield* gatherSeconds,
        tokenMs: yield* tokenLife,
        userAgents: userAgents(ENGINE_VERSION, yield* agentAddress),
        contact: yield* contact,
        version: ENGINE_VERSION
      }
      const facts = yield* Effect.cached(
        Effect.sync((): DocFacts => ({ ...settings, contract: contractDocument({ baseUrl: places.base }) }))
      )
      return { addresses: places, facts, book: yield* Effect.cached(Effect.map(facts, makeDocsBook)) }
    })
  )
}
