/**
 * `docgauge/plugin`: what the author of a criterion's plugin needs, as the package exports it. Whatever is not here is
 * the engine's own and may change with any release. `Effect` and `Schema` are the engine's: it does not understand the
 * schemas of another copy.
 */
export * as Effect from "effect/Effect"
export * as Schema from "effect/Schema"
export { header, isAnswer, isOk, isUnobtainable, mediaType } from "../evidence/Exchange.ts"
export type { Answer, Exchange, Fault } from "../evidence/Exchange.ts"
export { textOf } from "../evidence/Text.ts"
export { countsAsAbsent } from "../site/Canary.ts"
export type { Page } from "../site/Page.ts"
export type { Site } from "../site/Site.ts"
export { define, Unobtainable } from "./Criterion.ts"
export type { Criterion, Finding, Measurement } from "./Criterion.ts"
export { count, flag, ratio, share, word } from "./Fact.ts"
export type { Fact, FactFields, FactValues } from "./Fact.ts"
export { isItself, ofPages, sampledPages } from "./SampledPages.ts"
export { counted, pathShown, percent } from "./Wording.ts"
