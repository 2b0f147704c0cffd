/** `docgauge/testing`: the package's export for testing plugins. Needs vitest. */
export { testCriterion } from "./CriterionTester.ts"
export type { CriterionCase, CriterionSuite, ExpectedFinding } from "./CriterionTester.ts"
export type { CaseResult } from "./CriterionRun.ts"
export { serveFakeSite } from "./FakeSite.ts"
export { FAKE_HOST } from "./FakeSite.ts"
export type { FakeSite } from "./FakeSite.ts"
