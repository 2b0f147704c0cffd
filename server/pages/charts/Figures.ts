/** A whole number with narrow spaces between its thousands: 12 345. */
export const grouped = (number: number): string => String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, "\u202f")

/** A difference with its sign; a true minus, and none of either for nothing. */
export const signed = (difference: number): string =>
  difference === 0 ? "0" : difference > 0 ? `+${grouped(difference)}` : `−${grouped(-difference)}`

/** `1 site`, `12 345 sites`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${grouped(count)} ${count === 1 ? one : many}`
