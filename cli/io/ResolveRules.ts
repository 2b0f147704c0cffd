import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ResolveRule } from "../../engine/evidence/http/ResolveRule.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"

/** Parses the values of `--resolve`. The parser is imported only if there are any. */
export const resolveRules = Effect.fnUntraced(function* (
  texts: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<ResolveRule>, CliFailure> {
  if (texts.length === 0) return []
  const { parseResolveRule } = yield* Effect.promise(() => import("../../engine/evidence/http/ResolveRule.ts"))
  return yield* Effect.forEach(texts, (text) => {
    const rule = parseResolveRule(text)
    return Result.isSuccess(rule)
      ? Effect.succeed(rule.success)
      : Effect.fail(wrongUsage(`--resolve ${text}: ${rule.failure}, for example '*:443:127.0.0.1:8443'.`))
  })
})
