import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type FairBounds, fairShare, makeFairMap } from "./FairMap.ts"
import { type Grant, OAuthStore, type StoredKey } from "./OAuthStore.ts"

/** Maximum number of grants in memory, about 3 MB. */
const BOUNDS: FairBounds = { all: 10_000, perGroup: 2_000 }

/** For `memory:`: all grants are lost when the process ends. */
export const layerMemory: Layer.Layer<OAuthStore> = Layer.sync(OAuthStore, () => {
  const keys = new Map<string, StoredKey>()
  const grants = makeFairMap<Grant>(BOUNDS)

  const put = (grant: Grant): void => {
    grants.put(grant.id, grant.network, grant)
  }

  /** Grants of one network, ordered by expiry. */
  const beyondShare = (kept: ReadonlyArray<Grant>, bounds: FairBounds): ReadonlyArray<Grant> => {
    const byNetwork = [
      ...Map.groupBy(
        kept.toSorted((one, other) => one.expiresAt - other.expiresAt),
        ({ network }) => network
      ).values()
    ]
    const share = fairShare(
      byNetwork.map(({ length }) => length),
      bounds
    )
    return byNetwork.flatMap((own) => own.slice(0, Math.max(0, own.length - share)))
  }

  return {
    keys: Effect.sync(() => [...keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    addKey: (key) =>
      Effect.sync(() => {
        if (!keys.has(key.id)) keys.set(key.id, key)
      }),
    dropKeys: (use, before) =>
      Effect.sync(() => {
        for (const key of keys.values()) if (key.use === use && key.period < before) keys.delete(key.id)
      }),
    openGrant: (grant, perNetwork) =>
      Effect.sync(() => {
        if (grants.get(grant.id) !== undefined) return false
        put(grant)
        const own = grants.entries().flatMap(({ value }) => (value.network === grant.network ? [value] : []))
        for (const { id } of beyondShare(own, { all: perNetwork, perGroup: perNetwork })) grants.delete(id)
        return true
      }),
    findGrant: (id) => Effect.sync(() => grants.get(id) ?? null),
    renewGrant: (id, generation, expiresAt) =>
      Effect.sync(() => {
        const grant = grants.get(id)
        if (grant === undefined || grant.generation !== generation || grant.revoked) return false
        put({ ...grant, generation: generation + 1, expiresAt })
        return true
      }),
    revokeGrant: (id) =>
      Effect.sync(() => {
        const grant = grants.get(id)
        if (grant !== undefined) put({ ...grant, revoked: true })
      }),
    sweep: (now, bounds) =>
      Effect.sync(() => {
        const all = grants.entries().map(({ value }) => value)
        const lasting = all.filter(({ expiresAt }) => expiresAt > now)
        for (const { id } of [...all.filter(({ expiresAt }) => expiresAt <= now), ...beyondShare(lasting, bounds)])
          grants.delete(id)
      })
  }
})
