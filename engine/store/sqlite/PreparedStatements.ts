/*
 * Apart from `SqliteDriver.ts`, because a thread of `node:sqlite` loads it: what the driver imports would cost each thread 190 ms.
 */

/** Of one connection. */
const MOST = 200

/** Prepared statements of a connection by their SQL: those that were used last. `finish` frees what a statement holds. */
export class PreparedStatements<Statement> {
  readonly #finish: (statement: Statement) => void
  /** Least recently used first. */
  readonly #kept = new Map<string, Statement>()

  constructor(finish: (statement: Statement) => void) {
    this.#finish = finish
  }

  get(sql: string): Statement | undefined {
    return this.#kept.get(sql)
  }

  /** Notes that the statement is used. One that was prepared from the same SQL meanwhile is finished. */
  use(sql: string, statement: Statement): void {
    const before = this.#kept.get(sql)
    if (before !== undefined && before !== statement) this.#finish(before)
    this.#kept.delete(sql)
    this.#kept.set(sql, statement)
    const [oldest] = this.#kept
    if (this.#kept.size <= MOST || oldest === undefined) return
    this.#kept.delete(oldest[0])
    this.#finish(oldest[1])
  }

  finishAll(): void {
    for (const statement of this.#kept.values()) this.#finish(statement)
    this.#kept.clear()
  }
}
