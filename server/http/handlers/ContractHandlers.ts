import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { api } from "../../api/Api.ts"
import { contractDocument, contractJson, contractYaml } from "../../api/Contract.ts"
import { addresses } from "../../config/Settings.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"

/** GET /openapi.json and /openapi.yaml, built once. */
export const contractHandlers = isolatedGroup(
  Effect.gen(function* () {
    const document = contractDocument({ baseUrl: (yield* addresses).base })
    const json = new CachedResponse(contractJson(document), { type: JSON_TYPE })
    const yaml = new CachedResponse(contractYaml(document), { type: "application/yaml" })
    return HttpApiBuilder.group(api, "contract", (handlers) =>
      handlers.handleAll({
        getContractJson: ({ request }) => json.to(request),
        getContractYaml: ({ request }) => yaml.to(request)
      })
    )
  })
)
