import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/criterion/Fact.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { FoundSpec } from "../../engine/site/ApiSpec.ts"
import { specEvidence } from "./SpecEvidence.ts"
import { sentence, specShown } from "./SpecWording.ts"

/** Errors that are shown one by one. */
const SHOWN = 4

/** C2: the description says what its format lets it say, and its parts fit together. */
export const c2SpecValid = define({
  id: "c2-spec-valid",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    parsed: flag("there is a description on the site that parses and is no placeholder"),
    operations: count("its operations"),
    errors: count("errors against its version's schema, references within the site that lead nowhere, repeated operationIds and keys, path parameters that are not declared or not in the path"),
    faulty_operations: count("operations that an error lies in, or that refer to a part with an error"),
    faulty: share("faulty_operations of operations")
  },
  measure: Effect.fn("c2-spec-valid")(function*(site) {
    const evidence = yield* specEvidence(site)
    if (evidence._tag === "NoSpec") {
      return { facts: { parsed: false, operations: 0, errors: 0, faulty_operations: 0, faulty: 0 }, findings: [evidence.finding] }
    }
    const { spec } = evidence.found
    const { errorCount, touchedOperations } = spec.validity
    return {
      facts: {
        parsed: true,
        operations: spec.operationCount,
        errors: errorCount,
        faulty_operations: touchedOperations,
        faulty: ratio(touchedOperations, spec.operationCount)
      },
      findings: [summary(evidence.found), ...errors(evidence.found)]
    }
  })
})

const summary = (found: FoundSpec): Finding => {
  const { operationCount, validity } = found.spec
  const by = validity.bySchema ? "its version's schema" : "the essentials of its format"
  const verdict = validity.errorCount === 0
    ? `has no error by ${by}, and its references, ids and path parameters fit together`
    : `has ${counted(validity.errorCount, "error")}, which touch ${counted(validity.touchedOperations, "operation")} of ${operationCount}`
  return { good: validity.errorCount === 0, message: `${sentence(specShown(found))} ${verdict}.`, proof: found.exchange }
}

const errors = ({ exchange, spec }: FoundSpec): ReadonlyArray<Finding> =>
  spec.validity.errors.slice(0, SHOWN).map(({ at, message, operations }) => ({
    good: false,
    message: `At ${at.slice(0, 160)}: ${message} (${counted(operations, "operation")}).`,
    proof: exchange
  }))
