/** The path of a request's URL as the router sees it: it ends at `?`, `#` or `;`. */
export const requestPath = (url: string): string => {
  const end = url.search(/[?;#]/)
  return end < 0 ? url : url.slice(0, end)
}
