import type { Rate } from "./RateSpec.ts"

/*
 * Some keys of limits belong to many users: the users of a hosted assistant share its network. Such a key contains a factor by
 * which every limit counted by that key is multiplied.
 */

const SHARED = /^(\d{1,4})x /

/** A key with `times` the amount of any rate. */
export const sharedKey = (times: number, key: string): string => `${times}x ${key}`

/** The key's factor; 1 unless it is shared. */
export const timesOf = (key: string): number => Number(SHARED.exec(key)?.[1] ?? 1)

/** The rate that applies to the key. */
export const rateFor = (rate: Rate, key: string): Rate => ({ ...rate, amount: rate.amount * timesOf(key) })
