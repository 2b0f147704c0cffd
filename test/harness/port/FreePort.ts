import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * Up to here, no system hands out a port by itself, to a server that asks for any or to a connection: Linux does so from 32768 on, others
 * from 49152 on. So a port below stays free until its server listens, and while that server is started again.
 */
export const BEYOND = 32_000

/** Below are ports of well-known services. */
const FIRST = 10_000

const handedOut = new Set<number>()

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return false
  }
  server.close()
  await once(server, "close")
  return true
}

/** A port on loopback that nothing listens on now, never the same twice in this process. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, BEYOND)
  if (handedOut.has(port)) return freePort()
  handedOut.add(port)
  return (await isFree(port)) ? port : freePort()
}
