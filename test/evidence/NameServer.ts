import { createSocket, type RemoteInfo } from "node:dgram"
import { once } from "node:events"

/** What a name has: addresses of each family, a failure, or no answer at all. */
export type Zone = (name: string) => Answer | Promise<Answer>

export type Answer =
  | { readonly a?: ReadonlyArray<string>; readonly aaaa?: ReadonlyArray<string> }
  | "NXDOMAIN"
  | "SERVFAIL"
  /** The question is dropped. */
  | "silence"

/** A name server on a loopback port of its own. */
export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string
  /** Names that were asked for, once a question. */
  readonly questions: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const A = 1
const AAAA = 28

/** Starts a name server that answers A and AAAA questions (RFC 1035 §4) as the zone says. */
export const nameServer = async (zone: Zone): Promise<NameServer> => {
  const questions: Array<string> = []
  const socket = createSocket("udp4")
  const reply = async (message: Buffer, { address, port }: RemoteInfo): Promise<void> => {
    const { end, name, type } = questionOf(message)
    questions.push(name)
    const answer = await zone(name)
    if (answer !== "silence")
      socket.send(responseTo(message.subarray(0, end), type, answer), port, address, () => undefined)
  }
  socket.on("message", (message, from) => void reply(message, from))
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      socket.close()
      await once(socket, "close")
    }
  }
}

/** The first question, and where it ends. */
const questionOf = (message: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const RESPONSE_FLAGS = 0x8180

const responseTo = (question: Buffer, type: number, answer: Exclude<Answer, "silence">): Buffer => {
  const header = Buffer.from(question)
  const records = typeof answer === "string" ? [] : recordsOf(type, answer)
  header.writeUInt16BE(RESPONSE_FLAGS + (answer === "NXDOMAIN" ? 3 : answer === "SERVFAIL" ? 2 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, ...records])
}

const recordsOf = (
  type: number,
  { a = [], aaaa = [] }: { readonly a?: ReadonlyArray<string>; readonly aaaa?: ReadonlyArray<string> }
): Array<Buffer> => {
  if (type === A) return a.map((address) => record(A, Buffer.from(address.split(".").map(Number))))
  return type === AAAA ? aaaa.map((address) => record(AAAA, groupsOf(address))) : []
}

/** An IPv6 address written with all of its eight groups. */
const groupsOf = (address: string): Buffer => {
  const bytes = Buffer.alloc(16)
  for (const [index, group] of address.split(":").entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}

/** A record of the name in question, good for a minute. */
const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
