import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { PostgresCluster } from "../harness/PostgresCluster.ts"

/** Connections that are taken from the services of a PostgreSQL. */
export interface TakenConnections {
  /** Until when the services' own sessions are ended. */
  readonly ending: Promise<unknown>
  readonly giveBack: () => void
}

/** Milliseconds between two connections. */
const TAKE_EVERY_MS = 20

/** How long the session that ends the others may take to begin, in milliseconds. */
const BEGINNING_MS = 60_000

/**
 * Takes every connection that becomes free. Sessions that services hold are ended for `seconds` seconds, so that they find every
 * slot taken when they come again.
 */
export const takeConnections = async (postgres: PostgresCluster, seconds: number): Promise<TakenConnections> => {
  const taken = new Set<Socket>()
  const ending = endSessionsFor(postgres, seconds)
  // The session that ends the others must be there before all slots are taken.
  await Promise.race([ending, untilEnding(postgres)])
  const taking = setInterval(() => {
    const socket = takeConnection(postgres.port)
    taken.add(socket)
    // The server ends those that it has no room for.
    socket.on("close", () => taken.delete(socket))
  }, TAKE_EVERY_MS)
  return {
    ending,
    giveBack: () => {
      clearInterval(taking)
      for (const socket of taken) socket.destroy()
    }
  }
}

/** Opens a session as `psql` does (trust authentication) and leaves it open: the startup message of protocol 3.0. */
const takeConnection = (port: number): Socket => {
  const socket = connect(port, "127.0.0.1", () => {
    const parameters = Buffer.from("user\0postgres\0database\0postgres\0application_name\0hog\0\0")
    const head = Buffer.alloc(8)
    head.writeInt32BE(8 + parameters.length, 0)
    head.writeInt32BE(3 << 16, 4)
    socket.write(Buffer.concat([head, parameters]))
  })
  socket.on("error", () => undefined)
  socket.resume()
  return socket
}

/** Ends those that services of docgauge have now; in SQL it follows SELECT or PERFORM. */
const TERMINATE = "pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docgauge'"

/** Ends all sessions that services of docgauge have on the server now. */
export const endSessions = (postgres: PostgresCluster): Promise<string> => postgres.execute(`SELECT ${TERMINATE}`)

/** Waits until the session of `endSessionsFor` is there. */
const untilEnding = async (postgres: PostgresCluster): Promise<void> => {
  // There may be no slot to look by.
  const isThere = (): Promise<boolean> =>
    postgres.execute("SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE 'DO $$%'").then(
      (count) => Number(count) > 0,
      () => false
    )
  for (const end = performance.now() + BEGINNING_MS; performance.now() < end && !(await isThere());) await pause(100)
}

/** Every half second, by one session of its own. */
const endSessionsFor = (postgres: PostgresCluster, seconds: number): Promise<string> =>
  postgres.execute(`DO $$ BEGIN FOR round IN 1..${2 * seconds} LOOP
    PERFORM pg_stat_clear_snapshot();
    PERFORM ${TERMINATE};
    PERFORM pg_sleep(0.5);
  END LOOP; END $$`)
