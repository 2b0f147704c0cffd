import { agentsSentence, answerWords, cutAnswers, MATRIX_NOTE } from "../../engine/audit/render/SectionWords.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { Style } from "./Style.ts"
import { block } from "./Wrap.ts"

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
