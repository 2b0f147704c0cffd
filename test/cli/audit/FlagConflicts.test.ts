import { expect, it } from "vitest"
import { auditFlags } from "../../../cli/audit/AuditFlags.ts"
import { CONFLICTS } from "../../../cli/audit/FlagConflicts.ts"
import { driftFlags } from "../../../cli/drift/DriftFlags.ts"
import { fixFlags } from "../../../cli/fix/FixFlags.ts"

it("the table of conflicts names flags of commands", () => {
  const known = new Set(["config", ...[auditFlags, driftFlags, fixFlags].flatMap((flags) => Object.keys(flags))])
  const named = CONFLICTS.flatMap(({ flag, ignores }) => [flag, ...ignores])
  expect(named.filter((name) => !known.has(name))).toEqual([])
})
