import { isNamedAfter } from "../../engine/site/topics/ProductName.ts"

/** Pages of packages at registries; their names follow. */
const PACKAGE_PAGE =
  /^https?:\/\/(?:(?:www\.)?npmjs\.com\/package\/|pypi\.org\/(?:project|p)\/|(?:www\.)?jsr\.io\/|crates\.io\/crates\/|rubygems\.org\/gems\/|(?:www\.)?nuget\.org\/packages\/|packagist\.org\/packages\/|pkg\.go\.dev\/|hub\.docker\.com\/r\/|ghcr\.io\/)([^?#]{1,200})/i

/** Whether a URL is the page of a package that is an MCP server by its name, and of the product with these names. */
export const isServerPackage = (names: ReadonlySet<string>, url: string): boolean => {
  const name = PACKAGE_PAGE.exec(url)?.[1] ?? ""
  return /(?:^|[^a-z])mcp(?:$|[^a-z])/i.test(name) && isNamedAfter(names, name)
}
