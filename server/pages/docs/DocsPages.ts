import * as Context from "effect/Context"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { limitSettings } from "../../../engine/limit/LimitSettings.ts"
import { contractDocument } from "../../api/Contract.ts"
import { tokenLife } from "../../oauth/OAuthSettings.ts"
import { addresses, agentAddress, contact } from "../../Settings.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocsBook, makeDocsBook } from "./DocsBook.ts"
import { once } from "./Once.ts"

/** The documentation of this service, read when it is first asked for: a service starts without it. */
export class DocsPages extends Context.Service<DocsPages, {
  readonly book: () => DocsBook
  readonly facts: DocFacts
}>()("docgauge/server/pages/DocsPages") {
  static readonly layer: Layer.Layer<DocsPages, Config.ConfigError> = Layer.effect(
    DocsPages,
    Effect.gen(function*() {
      const places = yield* addresses
      const facts: DocFacts = {
        addresses: places,
        contract: once(() => contractDocument({ baseUrl: places.base })),
        limits: yield* limitSettings,
        tokenMs: yield* tokenLife,
        userAgents: userAgents(ENGINE_VERSION, yield* agentAddress),
        contact: yield* contact,
        version: ENGINE_VERSION
      }
      return { book: once(() => makeDocsBook(facts)), facts }
    })
  )
}
