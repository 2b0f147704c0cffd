import type { SpecErrorRule } from "../ApiSpec.ts"
import type { Path } from "../text/Pointer.ts"

/** An error before it is known which operations it affects. */
export interface Flaw {
  readonly rule: SpecErrorRule
  readonly url: string
  readonly path: Path
  /** One plain clause. */
  readonly message: string
}

/** Names in braces, each once. A brace inside a name means that the template is broken, which the schema reports. */
export const templateNames = (template: string): ReadonlySet<string> =>
  new Set([...template.matchAll(TEMPLATE)].map((match) => match[1] ?? ""))

/** The template with all names left out: two paths with the same pattern match the same requests. */
export const templatePattern = (template: string): string => template.replace(TEMPLATE, "{}")

const TEMPLATE = /\{([^{}/]{1,200})\}/g

/** The list at `key`, created where there is none. */
export const listed = <T>(lists: Map<string, Array<T>>, key: string): Array<T> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
