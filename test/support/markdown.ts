import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file that people read or write, by its path from the root of the repository. */
export interface Text {
  path: string;
  text: string;
}

const IS_TEXT = /\.(?:ts|js|md|yml)$/;
/** Written by programs, and too many to read. */
const IS_MADE = /^(?:node_modules|\.)|^(?:bench\/results|test\/histories)\//;
const IS_FILE = /\.(?:ts|js|md|yml|json|tsv)$/;

/** Every text of the repository: code, tests, configuration and documents. */
export function texts(): Text[] {
  const roots = readdirSync(".").filter((name) => !IS_MADE.test(name));
  const paths = roots.flatMap((root) =>
    statSync(root).isDirectory() ? readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path)) : [root],
  );
  return paths
    .filter((path) => IS_TEXT.test(path) && !IS_MADE.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

/** The files and folders that a document names in backticks. What a run of the service writes is none of them. */
export function pathsNamed(text: string): string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)].map(([, path = ""]) => path);
  return named.filter((path) => !path.startsWith(".data") && (path.includes("/") || IS_FILE.test(path)));
}

/** Where the links of a document lead that stay within the repository, without the heading behind `#`. */
export function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    const [path = ""] = target.split("#");
    return path === "" || /^[a-z]+:/.test(path) ? [] : [path];
  });
}
