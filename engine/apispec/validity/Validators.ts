/*
 * The validators of documents, by the names of their schemas. The package has another file in the place of this one, which
 * loads what was compiled when the package was built (scripts/ValidatorModules.ts).
 */
export { compileValidator as loadValidator } from "./CompileValidator.ts"
