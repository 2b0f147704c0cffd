/** `Sun, 06 Nov 1994 08:49:37 GMT` and its two old forms all begin with the day. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** The form of asctime names no time zone, and means UTC (RFC 9110 §5.6.7). */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** A date in a header, in milliseconds since the epoch; `null` if it is not a date. */
export const httpDateMs = (value: string): number | null => {
  const time = HTTP_DATE.test(value) ? Date.parse(ASCTIME.test(value) ? `${value} GMT` : value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
