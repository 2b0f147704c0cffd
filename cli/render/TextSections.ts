import type { ReportedExchange } from "../../engine/audit/exchanges/ReportedExchange.ts"
import { curlOf, outcomeText } from "../../engine/report/Curl.ts"
import { agentsSentence, answerWords, cutAnswers, MATRIX_NOTE } from "../../engine/report/SectionWords.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import { plainLines, plainText } from "../../engine/text/PlainText.ts"
import { block, type Style } from "./Style.ts"

/** Lines of a body that a terminal shows; the JSON has up to 2 KB of it. */
const LINES = 12

const LONGEST_COMMAND = 6_000

/** The mark by which a finding names its exchange: ` [12]`. */
export const exchangeMark = ({ exchange }: { readonly exchange?: number }): string =>
  exchange === undefined ? "" : ` [${exchange + 1}]`

/** The exchanges that findings cite, by the number in their mark: how to repeat each, and what came back. */
export const exchangeSection = (
  { exchanges = [], exchanges_left_out: leftOut = 0 }: AuditReport,
  width: number,
  style: Style
): ReadonlyArray<string> =>
  exchanges.length === 0
    ? []
    : [
        style.bold("Requests and responses"),
        ...exchanges.flatMap((exchange, index) => one(exchange, index + 1, width, style)),
        ...(leftOut === 0 ? [] : [style.dim(`  and ${counted(leftOut, "more request")} that the report leaves out`)])
      ]

const one = (exchange: ReportedExchange, number: number, width: number, style: Style): ReadonlyArray<string> => {
  const { body, headers, redirects = [] } = exchange
  // A command is not wrapped, so that it can be copied.
  const command = curlOf(exchange)
  return [
    `  [${number}] ${command === null ? plainText(`${exchange.method} ${exchange.url}`, LONGEST_COMMAND) : plainText(command, LONGEST_COMMAND)}`,
    ...redirects.flatMap(({ location, status }) =>
      block(plainText(`${status} to ${location}`), width, "       ").map(style.dim)
    ),
    ...block(plainText(outcomeText(exchange)), width, "       "),
    ...headers.flatMap((header) => block(plainText(header), width, "       ").map(style.dim)),
    ...bodyLines(body ?? "", width).map((line) => style.dim(`       | ${line}`.trimEnd()))
  ]
}

const bodyLines = (body: string, width: number): ReadonlyArray<string> => {
  if (body === "") return []
  const lines = plainLines(body).replaceAll("\t", "  ").split("\n")
  const more = lines.length - LINES
  return [
    ...lines.slice(0, LINES).map((line) => cutTo(line, width - 9)),
    ...(more > 0 ? [`… and ${counted(more, "more line")} (--format json)`] : [])
  ]
}

const cutTo = (line: string, width: number): string => {
  const characters = Array.from(line)
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join("")}…`
}

/** Maximum length of a printed URL, in characters: sites choose their length. */
const LONGEST_URL_SHOWN = 120

/** What each named agent is served: under each URL the answers, with the agents that got them. */
export const agentSection = (
  { as_agents: matrix }: AuditReport,
  width: number,
  style: Style
): ReadonlyArray<string> => {
  if (matrix === undefined) return []
  const { agents, asked } = matrix
  const cut = cutAnswers(matrix)
  return [
    style.bold("What each named agent is served"),
    ...block(agentsSentence(matrix), width, "  "),
    ...asked.flatMap(({ url }, index) => {
      const byAnswer = Map.groupBy(agents, ({ answers }) => {
        const answer = answers[index]
        return answer === undefined ? "" : answerWords(answer)
      })
      return [
        `  ${plainText(url, LONGEST_URL_SHOWN)}`,
        ...[...byAnswer].flatMap(([words, some]) =>
          block(`${words}: ${some.map(({ name }) => name).join(", ")}`, width, "    ")
        ),
        ...cut
          .filter((one) => one.url === url)
          .flatMap(({ agent, ends }) =>
            block(`${agent.name} ends at: ${plainText(ends)}`, width, "      ").map(style.dim)
          )
      ]
    }),
    ...block(MATRIX_NOTE, width, "  ").map(style.dim)
  ]
}
