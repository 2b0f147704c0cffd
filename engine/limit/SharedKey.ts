import type { Rate } from "./RateSpec.ts"

/*
 * Some keys of limits belong to many users at once: the users of a hosted assistant share its network. Such a key says how
 * many times a rate's amount it has, so that everything that is counted by keys can go by it.
 */

const SHARED = /^(\d{1,4})x /

/** A key that has `times` the amount of any rate. */
export const sharedKey = (times: number, key: string): string => `${times}x ${key}`

/** How many times a rate's amount the key has; 1 unless it is shared. */
export const timesOf = (key: string): number => Number(SHARED.exec(key)?.[1] ?? 1)

/** The rate that holds for the key. */
export const rateFor = (rate: Rate, key: string): Rate => ({ ...rate, amount: rate.amount * timesOf(key) })
