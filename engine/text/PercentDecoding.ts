/** A part of a URL without its escapes; `null` if it cannot be decoded: not every `%` begins an escape. */
export const percentDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
