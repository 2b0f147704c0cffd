import { lookup } from "node:dns"

/** Look-ups by the system at once: each holds one of libuv's four threads, which the database and the file system need, too. */
const AT_ONCE = 2

/** Looks up all addresses of a name by the system's own resolver, which knows search domains, multicast DNS and the like. */
export const makeSystemLookup = (): (name: string) => Promise<ReadonlyArray<string>> => {
  const waiting: Array<() => void> = []
  let free = AT_ONCE

  const takeTurn = async (): Promise<void> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  const passOn = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return async (name) => {
    await takeTurn()
    return askSystem(name).finally(passOn)
  }
}

const askSystem = (name: string): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true, order: "verbatim" }, (error, answers) => {
      if (error === null) resolve(answers.map(({ address }) => address))
      else reject(error)
    })
  })
