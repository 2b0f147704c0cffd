import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import process from "node:process"
import { type Environment, type Proxies, proxiesOf, type Proxy } from "../../engine/evidence/http/Proxies.ts"
import type { ResolveRule } from "../../engine/evidence/http/Destination.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"

/** The proxies of the environment; wrong usage if a variable cannot be read. */
export const environmentProxies = (environment: Environment = process.env): Effect.Effect<Proxies, CliFailure> =>
  Effect.mapError(Effect.fromResult(proxiesOf(environment)), (fault) => wrongUsage(`${fault}. Nothing was audited.`))

/** What a user should know who audits through a proxy. */
export const uncheckedNotice = ({ variable }: Proxy): string =>
  `requests go through the proxy in ${variable}. It looks up names itself, so docgauge can check only names, not that they lead to public addresses.`

/** Parses the values of `--resolve`. The parser is imported only if there are any. */
export const resolveRules = Effect.fnUntraced(function* (
  texts: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<ResolveRule>, CliFailure> {
  if (texts.length === 0) return []
  const { parseResolveRule } = yield* Effect.promise(() => import("../../engine/evidence/http/Destination.ts"))
  return yield* Effect.forEach(texts, (text) => {
    const rule = parseResolveRule(text)
    return Result.isSuccess(rule)
      ? Effect.succeed(rule.success)
      : Effect.fail(wrongUsage(`--resolve ${text}: ${rule.failure}, for example '*:443:127.0.0.1:8443'.`))
  })
})
