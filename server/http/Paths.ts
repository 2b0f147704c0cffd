/** The path of a request's address, without its query: up to where the router ends it, which is at a `;`, too. */
export const pathOf = (url: string): string => {
  const end = url.search(/[?;#]/)
  return end < 0 ? url : url.slice(0, end)
}
