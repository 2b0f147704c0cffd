import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/plugin/Fact.ts"
import { capitalised, counted, grouped } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { ERRORS_COUNTED, type FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { specEvidence, specShown } from "../../engine/plugin/SpecEvidence.ts"

/** C2: the API description follows its format, and its parts fit together. */
export const c2SpecValid = define({
  id: "c2-spec-valid",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    parsed: flag("the site has an API description that parses and is neither a placeholder nor a Postman collection"),
    operations: count("operations of the description"),
    errors: count(
      "schema errors, references within the site that do not resolve, repeated operationIds, parameters and keys, identical paths, path parameters that are not declared or not in the path, server variables without a value; counted to 1,000"
    ),
    identity_errors: count(
      "of those, repeated operationIds, identical paths, and path parameters that are not declared or not in the path"
    ),
    faulty_operations: count(
      "operations that contain an error or refer to a part that does; all of them from 1,001 errors on"
    ),
    faulty: share("faulty_operations divided by operations")
  },
  measure: Effect.fn("c2-spec-valid")(function* (site) {
    const evidence = yield* specEvidence(site)
    if (evidence._tag === "NoSpec") {
      return {
        facts: { parsed: false, operations: 0, errors: 0, identity_errors: 0, faulty_operations: 0, faulty: 0 },
        findings: [evidence.finding]
      }
    }
    const { spec } = evidence.found
    const { errorCount, identityErrorCount, touchedOperations } = spec.validity
    return {
      facts: {
        parsed: true,
        operations: spec.operationCount,
        errors: errorCount,
        identity_errors: identityErrorCount,
        faulty_operations: touchedOperations,
        faulty: ratio(touchedOperations, spec.operationCount)
      },
      findings: [summary(evidence.found), ...errors(evidence.found)]
    }
  })
})

const summary = (found: FoundSpec): Finding => {
  const { format, operationCount, validity } = found.spec
  const by = validity.bySchema ? "the schema of its version" : "the essential rules of its format"
  const verdict =
    validity.errorCount === 0
      ? format === "graphql"
        ? "is valid by the GraphQL specification"
        : `follows ${by}, and its references, operationIds and path parameters are consistent`
      : `has ${validity.errorCount < ERRORS_COUNTED ? counted(validity.errorCount, "error") : `${grouped(ERRORS_COUNTED)} errors or more`}, which ${validity.errorCount === 1 ? "affects" : "affect"} ${affected(validity.touchedOperations, operationCount)}`
  return {
    good: validity.errorCount === 0,
    message: `${capitalised(specShown(found))} ${verdict}.`,
    proof: found.exchange
  }
}

const affected = (some: number, all: number): string =>
  some === 0
    ? "no operation"
    : all === 1
      ? "its only operation"
      : some === all
        ? `all ${grouped(all)} operations`
        : `${grouped(some)} of ${grouped(all)} operations`

const errors = ({ exchange, spec }: FoundSpec): ReadonlyArray<Finding> =>
  spec.validity.errors.map(({ at, message, operations }) => ({
    good: false,
    message: `At ${at.slice(0, 160)}: ${message}${operations === 0 ? "" : ` (affects ${counted(operations, "operation")})`}.`,
    proof: exchange
  }))
