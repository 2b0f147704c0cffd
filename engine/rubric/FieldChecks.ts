import * as Schema from "effect/Schema"

/** Text of a length, in UTF-16 code units. */
export const textBetween = (least: number, most: number) =>
  Schema.String.check(Schema.isMinLength(least), Schema.isMaxLength(most))

export const textLike = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }))

export const HttpsUrl = textLike(/^https:\/\/[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/u, "must be an https URL")

export const CriterionId = textLike(/^[A-Z]\d{1,2}$/, "must be the id of a criterion, such as A1")
