import { counted, grouped, type Forms } from "../../criterion/Wording.ts"
import { isMarkdownType } from "../../text/MarkdownFile.ts"
import { plainText } from "../../text/PlainText.ts"
import type { AgentAnswer, AsAgentsReport, AskedAgent } from "../agents/AsAgents.ts"

/** A site decides how long its media types are. */
const LONGEST_TYPE = 40

const OUTCOMES: Readonly<Record<Exclude<AgentAnswer["outcome"], "answered">, string>> = {
  disallowed: "forbidden by robots.txt",
  robots_unread: "not asked: robots.txt is unreadable",
  failed: "no answer",
  not_asked: "not asked"
}

/** An answer in a few words: `200 Markdown 4,812`, `200 HTML 5,000 of 21,348`, `403 bot challenge`, `forbidden by robots.txt`. */
export const answerWords = (answer: AgentAnswer): string => {
  const { challenge, characters, given, outcome, status, type } = answer
  if (outcome !== "answered") return OUTCOMES[outcome]
  if (challenge === true) return `${status ?? ""} bot challenge`
  if (characters === null || given === null)
    return [String(status ?? ""), ...(isGood(answer) ? [typeWord(type ?? "")] : [])].join(" ").trimEnd()
  return `${status ?? ""} ${typeWord(type ?? "")} ${grouped(given)}${given < characters ? ` of ${grouped(characters)}` : ""}`
}

const isGood = ({ status }: AgentAnswer): boolean => status !== null && status >= 200 && status < 300

const typeWord = (type: string): string => {
  if (isMarkdownType(type)) return "Markdown"
  return { "": "untyped", "text/html": "HTML", "text/plain": "text" }[type] ?? plainText(type, LONGEST_TYPE)
}

/** An answer that an agent's tool cuts off, and where. */
export interface CutAnswer {
  readonly agent: AskedAgent
  readonly url: string
  /** The last sentence that the model is given. */
  readonly ends: string
}

/** All answers that an agent's tool cuts off, by agent. */
export const cutAnswers = ({ agents, asked }: AsAgentsReport): ReadonlyArray<CutAnswer> =>
  agents.flatMap((agent) =>
    agent.answers.flatMap(({ characters, ends, given }, index): ReadonlyArray<CutAnswer> => {
      const url = asked[index]?.url
      return url === undefined || ends === null || (given ?? 0) >= (characters ?? 0) ? [] : [{ agent, url, ends }]
    })
  )

const REFUSING = new Set([401, 402, 403, 407, 451])

/** `As 8 named agents ask: 3 get Markdown of the base page, 1 is refused a page, robots.txt keeps 1 from a page.` */
export const agentsSentence = ({ agents, asked }: AsAgentsReport): string => {
  const base = asked.findIndex(({ what }) => what === "base")
  const how = (holds: (answer: AgentAnswer, index: number) => boolean): number =>
    agents.filter(({ answers }) => answers.some(holds)).length
  const served = how(({ status }, index) => index === base && status === 200)
  const markdown = how(({ status, type }, index) => index === base && status === 200 && isMarkdownType(type ?? ""))
  const refused = how(({ challenge, status }) => challenge === true || REFUSING.has(status ?? 0))
  const limited = how(({ status }) => status === 429)
  const kept = how(({ outcome }) => outcome === "disallowed")
  return `As ${counted(agents.length, "named agent")} ${verb(agents.length, ["asks", "ask"])}: ${[
    served === 0 ? "none was served the base page" : ofBase(markdown, served, agents.length),
    ...(refused === 0 ? [] : [`${grouped(refused)} ${verb(refused, ["is", "are"])} refused a page`]),
    ...(limited === 0 ? [] : [`${grouped(limited)} ${verb(limited, ["was", "were"])} told to ask less often`]),
    ...(kept === 0 ? [] : [`robots.txt keeps ${grouped(kept)} from a page`])
  ].join(", ")}.`
}

/** Of the agents that were served the base page: the others say nothing of its Markdown. */
const ofBase = (markdown: number, served: number, all: number): string => {
  const number = markdown === 0 ? "none" : grouped(markdown)
  const gets = verb(markdown, ["gets", "get"])
  return served === all
    ? `${number} ${gets} Markdown of the base page`
    : `${number} of the ${grouped(served)} that were served the base page ${gets} Markdown of it`
}

const verb = (count: number, [one, several]: Forms): string => (count === 1 ? one : several)

/** What the numbers mean. */
export const MATRIX_NOTE =
  "Numbers are characters that the model is given, of a page that its tool cuts off with those of the whole. Every request named docgauge. The score does not depend on it."
