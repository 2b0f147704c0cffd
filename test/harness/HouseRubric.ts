/** The beginning of a rubric of one category, "House rules", of 100 points: its criteria come next. */
export const HOUSE_RUBRIC_HEADER = `format: 1
id: house-rules
version: 1.0.0
title: Does the documentation keep our house rules?
verdicts:
  - { from: 0, word: Measured, meaning: It was measured. }
categories:
  - id: A
    key: A_house
    title: House rules
    points: 100
    why: Our own rules.
    criteria:
`
