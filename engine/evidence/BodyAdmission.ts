import * as Context from "effect/Context"

/**
 * Decides when an audit may hold more bytes of bodies than a few: where several audits share a machine, one after the
 * other does. An audit that waits keeps its connections, and its exchanges' time stands still.
 */
export interface BodyAdmission {
  /** `null`: the audit may hold `bytes` of a body that is being read, besides all that it keeps. Otherwise resolves when it may. */
  readonly admit: (bytes: number) => Promise<void> | null
  /** The audit keeps a body of `bytes` until it is over. */
  readonly keep: (bytes: number) => void
}

/** The rule in force: an audit that is alone on its machine never waits. */
export const BodyAdmission = Context.Reference<BodyAdmission>("docgauge/evidence/BodyAdmission", {
  defaultValue: () => ({ admit: () => null, keep: () => undefined })
})

/** An audit holds up to `freeBytes`, and more only once `ask` has resolved. */
export const bodyAdmission = (freeBytes: number, ask: () => Promise<void>): BodyAdmission => {
  let held = 0
  let isAdmitted = false
  let asked: Promise<void> | null = null
  const askOnce = async (): Promise<void> => {
    await ask()
    isAdmitted = true
  }
  return {
    admit: (bytes) => isAdmitted || held + bytes <= freeBytes ? null : asked ??= askOnce(),
    keep: (bytes) => { held += bytes }
  }
}
