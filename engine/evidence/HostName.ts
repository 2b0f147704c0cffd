/*
 * Host names as DNS takes them (RFC 1035 §2.3.4, RFC 1123 §2.1). The URL standard lets through more than that.
 */

const DOT = 46

/** The longest label, and the longest name, in characters. */
const LONGEST_LABEL = 63
const LONGEST_NAME = 253

/** A host without the dots at its end: `example.com.` and `example.com` are one name. */
export const withoutFinalDots = (host: string): string => {
  let end = host.length
  while (end > 0 && host.charCodeAt(end - 1) === DOT) end -= 1
  return host.slice(0, end)
}

/** Why a name (without trailing dots) cannot exist in DNS, as a clause; `null` if it can. */
export const nameFault = (host: string): string | null => {
  if (host === "") return "it has no host name"
  if (host.length > LONGEST_NAME) return `its host name is longer than ${LONGEST_NAME} characters`
  const labels = host.split(".")
  if (labels.includes("")) return "its host name has an empty label (two dots in a row)"
  return labels.some((label) => label.length > LONGEST_LABEL)
    ? `its host name has a label longer than ${LONGEST_LABEL} characters`
    : null
}
