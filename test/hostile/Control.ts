import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"

/** An HTTP server that does nothing but answer, in a process of its own: what it takes is what the machine takes. */
export interface Control {
  readonly url: string
  readonly child: ChildProcess
}

const PROGRAM = `
const server = require("node:http").createServer((_, response) => { response.end("{}") })
server.listen(0, "127.0.0.1", () => { process.send(server.address().port) })`

export const startControl = async (): Promise<Control> => {
  const child = spawn(process.execPath, ["--eval", PROGRAM], { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const [port] = await once(child, "message")
  return { url: `http://127.0.0.1:${String(port)}`, child }
}
