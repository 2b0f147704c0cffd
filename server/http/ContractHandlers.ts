import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { api } from "../api/Api.ts"
import { contractDocument, contractJson, contractYaml } from "../api/Contract.ts"
import { addresses } from "../Settings.ts"
import { JSON_TYPE, taggedAnswer, taggedContent } from "./Answers.ts"
import { lightGroup } from "./LightGroup.ts"

/** GET /openapi.json and /openapi.yaml: put together once. */
export const contractHandlers = lightGroup(Effect.gen(function*() {
  const document = contractDocument({ baseUrl: (yield* addresses).base })
  const json = taggedContent(contractJson(document), JSON_TYPE)
  const yaml = taggedContent(contractYaml(document), "application/yaml")
  return HttpApiBuilder.group(api, "contract", (handlers) => handlers.handleAll({
    getContractJson: ({ request }) => taggedAnswer(request, json),
    getContractYaml: ({ request }) => taggedAnswer(request, yaml)
  }))
}))
