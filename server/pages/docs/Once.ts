/** Made when it is first asked for, and kept. */
export const once = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}
