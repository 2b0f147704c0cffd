/** The function, called once for each argument: tests of one site share its audit. */
export const once = <Argument, Result>(call: (argument: Argument) => Result): ((argument: Argument) => Result) => {
  const results = new Map<Argument, Result>()
  return (argument) => {
    const result = results.get(argument) ?? call(argument)
    results.set(argument, result)
    return result
  }
}
