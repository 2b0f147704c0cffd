import type { ApiDescription } from "../ApiSpec.ts"
import { contractOf } from "../contract/ContractOf.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"
import { httpExamples } from "../examples/HttpExamples.ts"
import { elementsOf } from "../quality/Elements.ts"
import { cutTo, stringAt } from "../text/Json.ts"
import { type HttpOperation, httpOperationsOf } from "../quality/SpecOperations.ts"
import { qualityOf } from "../quality/Quality.ts"
import { sampleApiOf } from "../quality/SampleApi.ts"
import { securityOf } from "../quality/Security.ts"
import { serversOf } from "../quality/Servers.ts"
import { checkStructure } from "../validity/Structure.ts"
import { validityOf } from "../validity/Validity.ts"

/** A description of HTTP operations: OpenAPI 3.x or Swagger 2. */
export const describeHttp = async (recognised: Recognised): Promise<ApiDescription> => {
  const { documents, mark } = recognised
  const heading = headingOf(recognised)
  const operations = httpOperationsOf(documents)
  const structure = await checkStructure(documents.main.root, mark)
  return {
    ...heading,
    ...indexOf(operations.map(entryOf)),
    servers: serversOf(documents),
    security: securityOf(documents, operations),
    elements: elementsOf(documents, operations),
    validity: validityOf(documents, operations, structure),
    quality: qualityOf(documents, operations),
    examples: httpExamples(documents, mark, operations),
    contract: contractOf(documents, operations),
    sampleApi: sampleApiOf(heading, operations)
  }
}

const entryOf = (operation: HttpOperation): ApiDescription["operations"][number] => ({
  method: operation.method,
  path: cutTo(operation.path, 500),
  id: cutTo(stringAt(operation.located.value, "operationId"), 200),
  summary: summaryOf(operation.located.value)
})
