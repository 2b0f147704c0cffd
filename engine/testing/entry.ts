/** `docgauge/testing`: how plugins are tested, as the package exports it. Needs vitest. */
export { testCriterion } from "./CriterionTester.ts"
export type { CriterionCase, CriterionSuite, ExpectedFinding, Verdict } from "./CriterionTester.ts"
export { serveFakeSite } from "./FakeServer.ts"
export { FAKE_HOST } from "./FakeSite.ts"
export type { FakeSite } from "./FakeSite.ts"
