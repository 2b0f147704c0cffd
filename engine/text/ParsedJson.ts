/** The value of a JSON text; `undefined`, which no JSON value is, if the text is not JSON. Apart, because the thread that reads pages loads no Effect. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
