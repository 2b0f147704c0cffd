import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { define, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { count } from "../../engine/plugin/Fact.ts"
import { register, registryOf } from "../../engine/plugin/Registry.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"

const exchange: Exchange = {
  _tag: "Fault",
  asked: { method: "GET", url: "https://docs.example.org/", accept: "*/*", agent: "docgauge" },
  url: "https://docs.example.org/",
  kind: "refused",
  message: "the connection was refused",
  redirects: []
}

const plugin = (id: string) =>
  register(
    define({
      id,
      revision: 1,
      budget: NO_REQUESTS,
      params: Schema.Struct({ sample: Schema.Int }),
      facts: { pages: count("Pages.") },
      measure: () => Effect.fail(new Unobtainable({ message: "Nothing answers.", exchange }))
    })
  )

describe("the registry", () => {
  it("keeps the plugins in the order of the list", () => {
    const registry = Result.getOrThrow(registryOf([plugin("b"), plugin("a")]))
    assert.deepStrictEqual([...registry.keys()], ["b", "a"])
  })

  it("refuses two plugins of one id", () => {
    const refused = registryOf([plugin("a"), plugin("b"), plugin("a")])
    assert.strictEqual(Result.isFailure(refused) ? refused.failure.message : "", 'two plugins have the id "a"')
  })

  it("binds a plugin to params of its schema only", () => {
    const { bind } = plugin("a")
    assert.isTrue(Result.isSuccess(bind({ sample: 3 })))
    assert.isTrue(Result.isFailure(bind({ sample: "3" })))
    assert.isTrue(Result.isFailure(bind({ sample: 3, more: 1 })))
    assert.isTrue(Result.isFailure(bind({})))
  })
})
