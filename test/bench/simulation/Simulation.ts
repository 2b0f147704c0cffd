import { makeEventQueue } from "./EventQueue.ts"

/*
 * A discrete-event simulation of a service on one PostgreSQL: submissions are answered from recent reports, join an unfinished run, are
 * refused because their domain's budget is used up, or wait for a worker. One run of a domain is audited at a time. An audit
 * waits for the site, which takes a place in a process, and computes, which takes a core of it. A process claims one run ahead, whose
 * domain is then taken, and looks for another when that begins. All processes are told of a new run. Between two audits of a place or of
 * a domain the database takes its time. Times are in seconds.
 */

export interface Submission {
  readonly at: number
  readonly domain: number
  /** A site of the domain. */
  readonly site: number
  /** How long the audit waits for the site, in all. */
  readonly waits: number
  /** How long it computes. */
  readonly computes: number
}

export interface Processes {
  readonly count: number
  /** `DOCGAUGE_CONCURRENT_AUDITS`. */
  readonly atOnce: number
  /** Cores of each process. */
  readonly cores: number
}

export interface Rules {
  /** How long a report answers for its site; 0: not at all. */
  readonly targetWindow: number
  /** Requests to a domain in an hour; `Infinity`: any number. */
  readonly hostBudget: number
  /** What an audit reserves of it, and what it takes. */
  readonly reserved: number
  readonly requests: number
  /** How long a process that found no run waits until it looks again, unless it is told of one. */
  readonly poll: number
  /** How long a run takes in the database: to be claimed and begun before its audit, and to be stored after it, half of it each. */
  readonly handling: number
}

export interface Outcome {
  readonly audits: number
  readonly cached: number
  readonly joined: number
  readonly refused: number
  /** From submission to the begin of the audit, for audits that begin after `from`; sorted. */
  readonly waits: ReadonlyArray<number>
  /** From submission to the end, in the same way. */
  readonly answers: ReadonlyArray<number>
  /** Share of all cores that computed, from the first submission to the last end. */
  readonly busy: number
  /** When the last audit ended. */
  readonly end: number
}

type Event =
  | { readonly kind: "submitted"; readonly submission: Submission }
  | { readonly kind: "looks"; readonly process: number }
  | { readonly kind: "waited"; readonly submission: Submission; readonly process: number }
  | { readonly kind: "computed"; readonly submission: Submission; readonly process: number }
  | { readonly kind: "stored"; readonly submission: Submission; readonly process: number }

interface Domain {
  isBusy: boolean
  /** Requests left, as of `at`. */
  budget: number
  at: number
  readonly waiting: Array<Submission>
}

const HOUR = 3_600

/** Simulates until every submission is answered. `submissions` are in the order of time. */
export const simulate = (submissions: Iterable<Submission>, processes: Processes, rules: Rules, from = 0): Outcome => {
  const events = makeEventQueue<Event>()
  const domains = new Map<number, Domain>()
  const sites = new Map<string, { isUnderWay: boolean; finishedAt: number }>()
  const free = Array.from({ length: processes.count }, () => processes.atOnce)
  const cores = Array.from({ length: processes.count }, () => processes.cores)
  const toCompute = Array.from({ length: processes.count }, (): Array<Submission> => [])
  /** Runs whose domain is not busy, in the order of their submission. */
  const ready = makeEventQueue<Submission>()
  const claimed = Array.from({ length: processes.count }, (): Submission | null => null)
  const isAsleep = Array.from({ length: processes.count }, () => false)
  let turn = 0
  const outcome = { audits: 0, cached: 0, joined: 0, refused: 0 }
  const waits: Array<number> = []
  const answers: Array<number> = []
  let computed = 0
  let end = 0

  const domainOf = (domain: number): Domain => {
    const known = domains.get(domain)
    if (known !== undefined) return known
    const made = { isBusy: false, budget: rules.hostBudget, at: 0, waiting: [] }
    domains.set(domain, made)
    return made
  }
  const siteOf = ({ domain, site }: Submission) => {
    const key = `${domain}/${site}`
    const known = sites.get(key)
    if (known !== undefined) return known
    const made = { isUnderWay: false, finishedAt: -Infinity }
    sites.set(key, made)
    return made
  }
  const refill = (domain: Domain, at: number): void => {
    domain.budget = Math.min(rules.hostBudget, domain.budget + ((at - domain.at) / HOUR) * rules.hostBudget)
    domain.at = at
  }

  /** Lets a process claim and begin what it can; it sleeps once there is nothing to claim. */
  const look = (at: number, process: number): void => {
    while (true) {
      const submission = claimed[process] ?? ready.next()?.event ?? null
      claimed[process] = submission
      if (submission === null) {
        if (isAsleep[process] !== true) events.add(at + rules.poll, { kind: "looks", process })
        isAsleep[process] = true
        return
      }
      if ((free[process] ?? 0) === 0) return
      claimed[process] = null
      free[process] = (free[process] ?? 0) - 1
      const begun = at + rules.handling / 2
      if (submission.at >= from) waits.push(begun - submission.at)
      events.add(begun + submission.waits, { kind: "waited", submission, process })
    }
  }

  const enqueue = (submission: Submission): void => {
    const domain = domainOf(submission.domain)
    if (domain.isBusy) {
      domain.waiting.push(submission)
      return
    }
    domain.isBusy = true
    ready.add(submission.at, submission)
  }

  const submit = (at: number, submission: Submission): void => {
    const site = siteOf(submission)
    if (site.isUnderWay) outcome.joined++
    else if (at - site.finishedAt < rules.targetWindow) outcome.cached++
    else {
      const domain = domainOf(submission.domain)
      if (rules.hostBudget !== Infinity) refill(domain, at)
      if (domain.budget < rules.reserved) outcome.refused++
      else {
        domain.budget -= rules.reserved
        site.isUnderWay = true
        accepted++
        enqueue(submission)
      }
    }
  }

  const compute = (at: number, process: number): void => {
    const next = toCompute[process]?.shift()
    if (next === undefined) return
    cores[process] = (cores[process] ?? 0) - 1
    events.add(at + next.computes, { kind: "computed", submission: next, process })
  }

  const finish = (at: number, submission: Submission, process: number): void => {
    computed += submission.computes
    end = at
    outcome.audits++
    if (submission.at >= from) answers.push(at - submission.at)
    cores[process] = (cores[process] ?? 0) + 1
    compute(at, process)
    events.add(at + rules.handling / 2, { kind: "stored", submission, process })
  }

  const store = (at: number, submission: Submission, process: number): void => {
    stored++
    Object.assign(siteOf(submission), { isUnderWay: false, finishedAt: at })
    const domain = domainOf(submission.domain)
    domain.budget += rules.reserved - rules.requests
    domain.isBusy = false
    const next = domain.waiting.shift()
    if (next !== undefined) enqueue(next)
    free[process] = (free[process] ?? 0) + 1
  }

  const coming = submissions[Symbol.iterator]()
  let areAllSubmitted = false
  let accepted = 0
  let stored = 0
  /** Whether no run can come any more. */
  const isOver = (): boolean => areAllSubmitted && stored === accepted
  const addNext = (): void => {
    const { done, value } = coming.next()
    if (done === true) areAllSubmitted = true
    else events.add(value.at, { kind: "submitted", submission: value })
  }
  addNext()
  for (let process = 0; process < processes.count; process++) look(0, process)
  for (let due = events.next(); due !== null; due = events.next()) {
    const { at, event } = due
    if (event.kind === "submitted") {
      addNext()
      submit(at, event.submission)
      turn = (turn + 1) % processes.count
      for (let other = 0; other < processes.count; other++) look(at, (turn + other) % processes.count)
    } else if (event.kind === "waited") {
      toCompute[event.process]?.push(event.submission)
      if ((cores[event.process] ?? 0) > 0) compute(at, event.process)
    } else if (event.kind === "computed") {
      finish(at, event.submission, event.process)
    } else if (event.kind === "stored") {
      store(at, event.submission, event.process)
      look(at, event.process)
    } else {
      isAsleep[event.process] = false
      if (!isOver()) look(at, event.process)
    }
  }
  const sorted = (values: Array<number>): ReadonlyArray<number> => values.sort((one, other) => one - other)
  return {
    ...outcome,
    waits: sorted(waits),
    answers: sorted(answers),
    busy: computed / (end * processes.count * processes.cores),
    end
  }
}

/** A quantile of sorted values; 0 without values. */
export const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
