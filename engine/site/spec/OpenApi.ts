import type { ApiDescription } from "../ApiSpec.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"
import { elementsOf } from "./Elements.ts"
import { cutTo, stringAt } from "./Json.ts"
import { type Operation, operationsOf } from "./Operations.ts"
import { qualityOf } from "./Quality.ts"
import { securityOf } from "./Security.ts"
import { serversOf } from "./Servers.ts"
import { checkStructure } from "./Structure.ts"
import { validityOf } from "./Validity.ts"

/** A description of HTTP operations: OpenAPI 3.x or Swagger 2. */
export const describeHttp = async (recognised: Recognised): Promise<ApiDescription> => {
  const { documents, mark } = recognised
  const heading = headingOf(recognised)
  const operations = operationsOf(documents)
  const structure = await checkStructure(documents.main.root, mark)
  return {
    ...heading,
    ...indexOf(operations.map(entryOf)),
    servers: serversOf(documents),
    security: securityOf(documents, operations),
    elements: elementsOf(documents, operations),
    validity: validityOf(documents, operations, structure),
    quality: qualityOf(documents, operations),
    petStore: isPetStore(heading, operations)
  }
}

const entryOf = (operation: Operation): ApiDescription["operations"][number] => ({
  method: operation.method,
  path: cutTo(operation.path, 500),
  id: cutTo(stringAt(operation.located.value, "operationId"), 200),
  summary: summaryOf(operation.located.value)
})

const PET_PATH = /^\/pets?(?:$|\/)/

/** The sample that comes with every tool: by its name *and* its paths. */
const isPetStore = ({ title, description }: Pick<ApiDescription, "title" | "description">, operations: ReadonlyArray<Operation>): boolean =>
  /pet[ -]?store/i.test(`${title}\n${description.slice(0, 2_000)}`) && operations.some(({ path }) => PET_PATH.test(path))
