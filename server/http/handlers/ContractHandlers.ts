import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { api } from "../../api/Api.ts"
import { contractDocument, contractJson, contractYaml } from "../../api/Contract.ts"
import type { JsonObject } from "../../../engine/text/JsonText.ts"
import { addresses } from "../../config/Settings.ts"
import { CachedResponse } from "../../response/ResponseCache.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"

/** GET /openapi.json and /openapi.yaml, each built once, when it is first asked for: at start, building them took more processor time than all else. */
export const contractHandlers = isolatedGroup(
  Effect.gen(function* () {
    const { base } = yield* addresses
    const document = yield* Effect.cached(Effect.sync(() => contractDocument({ baseUrl: base })))
    const written = (write: (document: JsonObject) => string, type: string) =>
      Effect.cached(Effect.map(document, (contract) => new CachedResponse(write(contract), { type })))
    const json = yield* written(contractJson, JSON_TYPE)
    const yaml = yield* written(contractYaml, "application/yaml")
    return HttpApiBuilder.group(api, "contract", (handlers) =>
      handlers.handleAll({
        getContractJson: ({ request }) => Effect.flatMap(json, (response) => response.to(request)),
        getContractYaml: ({ request }) => Effect.flatMap(yaml, (response) => response.to(request))
      })
    )
  })
)
