import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Refused } from "./Audits.ts"

/** Reads what a tool was given. What is wrong comes back as a tool error, which a model can read and mend, not as an error of the protocol. */
export const decodeInput = <S extends Schema.ConstraintDecoder<unknown>>(input: S, payload: unknown): Effect.Effect<S["Type"], Refused> =>
  Effect.mapError(
    Schema.decodeUnknownEffect(input)(payload ?? {}, { errors: "all", onExcessProperty: "error" }),
    ({ message }) => new Refused({ code: "invalid_arguments", message, advice: "Call the tool again with the arguments of its input schema.", retryAfter: null, runId: null })
  )
