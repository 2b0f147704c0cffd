import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BoundCriterion } from "../plugin/Registry.ts"
import type { PluginEntry } from "../rubric/rules/PluginRules.ts"
import { readSource } from "../rubric/RubricSource.ts"
import { limitsOf, pluginSeconds } from "./ExternalLimits.ts"
import { describeExternal } from "./ExternalPlugin.ts"
import { isExternal, resolveExternal } from "./ExternalReference.ts"

const FORBIDDEN = "external plugins run only with --allow-plugins (a service: DOCGAUGE_ALLOW_PLUGINS=true)"

/**
 * The external plugins that a rubric file names, loaded one after the other; none if they are not allowed. Fails if a setting of
 * their limits is invalid.
 */
export const externalPlugins = Effect.fn("ExternalPlugins.load")(function* (
  bytes: Uint8Array,
  file: string,
  allow: boolean
): Effect.fn.Return<ReadonlyMap<string, PluginEntry<BoundCriterion>>, Config.ConfigError> {
  const limits = limitsOf(yield* pluginSeconds)
  const plugins = new Map<string, PluginEntry<BoundCriterion>>()
  for (const [name, params] of yield* namedIn(bytes, file)) {
    const reference = allow ? resolveExternal(name, file) : Result.fail(FORBIDDEN)
    plugins.set(
      name,
      Result.isFailure(reference)
        ? { unavailable: reference.failure }
        : yield* Effect.catch(describeExternal(reference.success, params, limits), ({ message }) =>
            Effect.succeed({ unavailable: message })
          )
    )
  }
  return plugins
})

/** External plugins that the file names, with their params, as far as the file can be parsed. */
const namedIn = (bytes: Uint8Array, file: string): Effect.Effect<ReadonlyMap<string, unknown>> =>
  Effect.match(readSource(bytes, file), {
    onFailure: () => new Map<string, unknown>(),
    onSuccess: ({ draft }) =>
      new Map<string, unknown>(
        draft.criteria.flatMap(({ params, plugin }) =>
          plugin !== null && isExternal(plugin.value) ? [[plugin.value, params?.plain ?? {}] as const] : []
        )
      )
  })
