import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Grant, OAuthStore, type StoredKey } from "./OAuthStore.ts"

/** Grants that are kept; the oldest go first. */
const MOST_GRANTS = 10_000

/** In this process only, for `memory:`: all grants end with it. */
export const layerMemory: Layer.Layer<OAuthStore> = Layer.sync(OAuthStore, () => {
  const keys = new Map<string, StoredKey>()
  // A Map keeps the order of insertion, and a grant goes in anew when it is renewed: the first is the idlest.
  const grants = new Map<string, Grant>()

  const put = (grant: Grant): void => {
    grants.delete(grant.id)
    grants.set(grant.id, grant)
    const [idlest] = grants.keys()
    if (grants.size > MOST_GRANTS && idlest !== undefined) grants.delete(idlest)
  }

  return {
    keys: Effect.sync(() => [...keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    addKey: (key) => Effect.sync(() => { if (!keys.has(key.id)) keys.set(key.id, key) }),
    dropKeys: (use, before) =>
      Effect.sync(() => { for (const key of keys.values()) if (key.use === use && key.period < before) keys.delete(key.id) }),
    openGrant: (grant) =>
      Effect.sync(() => {
        if (grants.has(grant.id)) return false
        put(grant)
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
    sweep: (now, most) =>
      Effect.sync(() => {
        for (const grant of grants.values()) if (grant.expiresAt <= now) grants.delete(grant.id)
        for (const id of [...grants.keys()].slice(0, Math.max(0, grants.size - most))) grants.delete(id)
      })
  }
})
