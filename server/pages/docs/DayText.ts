const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
] as const

/** `2026-11-21` as `21 November 2026`. */
export const dayText = (day: string): string => {
  const [year = "", month = "", date = ""] = day.split("-")
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`
}
