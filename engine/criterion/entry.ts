/**
 * `docgauge/plugin`: the package's public API for authors of plugins. Everything else is internal and may change with any
 * release. Plugins must use these copies of `Effect` and `Schema`: the engine does not accept schemas of another copy.
 */
export * as Effect from "effect/Effect"
export * as Schema from "effect/Schema"
export { NO_REQUESTS } from "../evidence/AuditBudget.ts"
export type { Budget } from "../evidence/AuditBudget.ts"
export { header, isAnswer, isOk, isMissing, isUnobtainable, mediaType } from "../evidence/Exchange.ts"
export type { Answer, Exchange, Fault } from "../evidence/Exchange.ts"
export { textOf } from "../evidence/BodyText.ts"
export { countsAsAbsent } from "../site/wellknown/FileVerdict.ts"
export type { Page } from "../page/Page.ts"
export type { Site } from "../site/Site.ts"
export { define, Unobtainable } from "./Criterion.ts"
export type { Criterion, Finding, Measurement } from "./Criterion.ts"
export { count, flag, ratio, share, word } from "./Fact.ts"
export type { Fact, FactFields, FactValues } from "./Fact.ts"
export { between, EITHER, eitherUnless, shareBetween } from "./Uncertain.ts"
export type { Uncertain, UncertainFacts } from "./Uncertain.ts"
export { isItself, knownSample, sampledPages, someSampled } from "./SampledPages.ts"
export { counted, pathShown, percent, someOf } from "./Wording.ts"
export { plainText } from "../text/PlainText.ts"
