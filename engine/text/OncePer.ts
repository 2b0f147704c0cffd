/** A function that computes each object's value once, and keeps it as long as the object. Further arguments may not change for one object. */
export const oncePer = <Key extends object, More extends ReadonlyArray<unknown>, Value>(
  compute: (key: Key, ...more: More) => Value
): ((key: Key, ...more: More) => Value) => {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key, ...more) => {
    const before = known.get(key)
    if (before !== undefined) return before.value
    const value = compute(key, ...more)
    known.set(key, { value })
    return value
  }
}
