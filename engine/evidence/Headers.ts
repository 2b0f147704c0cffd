/** Headers as received: names in lower case, repeated names kept apart, in order. */
export type Headers = ReadonlyArray<readonly [name: string, value: string]>

/** The values of a header, joined by `, ` as RFC 9110 (§5.3) has it; `null` where it is missing. */
export const headerIn = (headers: Headers, name: string): string | null => {
  const values = headers.flatMap(([key, value]) => (key === name ? [value] : []))
  return values.length === 0 ? null : values.join(", ")
}

/** The first value of a header that has one value only, such as `Location`; `null` where it is missing. */
export const firstHeaderIn = (headers: Headers, name: string): string | null =>
  headers.find(([key]) => key === name)?.[1] ?? null
