import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { descriptionIn } from "../apispec/SameInBothVersions.ts"
import { auditOver } from "./AuditOver.ts"

const page = (title: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/">Orders</a> <a href="/find">Find</a></nav><main><h1>${title}</h1><p>Orders of a customer are found and copied with one request each, as the description says in detail.</p></main></html>`

const scoresWith = (newest: boolean): Promise<ReadonlyArray<readonly [string, string, number]>> => {
  const site: FakeSite = {
    "/": page("Orders"),
    "/find": page("Find orders"),
    "/openapi.json": { type: "application/json", body: JSON.stringify(descriptionIn(newest)) }
  }
  return Effect.runPromise(
    Effect.map(auditOver(layerFakeSite(site), FAKE_HOST), ({ result }) =>
      Result.getOrThrow(result).report.criteria.map(({ id, score, status }) => [id, status, score] as const)
    )
  )
}

it("gives a site the same scores whether its description is of OpenAPI 3.1 or says the same in 3.2", async () => {
  const older = await scoresWith(false)
  expect(await scoresWith(true)).toEqual(older)
  expect(older.find(([id]) => id === "C2")).toEqual(["C2", "present", expect.any(Number)])
})
