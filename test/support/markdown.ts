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
    statSync(root).isDirectory()
      ? readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path))
      : [root],
  );
  return paths
    .filter((path) => IS_TEXT.test(path) && !IS_MADE.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

/** The files and folders that a document names in backticks, but for those that a start makes. */
export function pathsNamed(text: string): string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)].map(([, path = ""]) => path);
  return named.filter((path) => !/^\.(?:data|sandbox)\b/.test(path) && (path.includes("/") || IS_FILE.test(path)));
}

/**
 * A link that stays within the repository: a path from where the document lies, empty for the document itself, and a
 * heading there.
 */
export interface Link {
  path: string;
  heading: string | null;
}

export function linksOf(text: string): Link[] {
  return [...text.matchAll(/\]\(([^):#]*)(?:#([\w-]+))?\)/g)].map(([, path = "", heading = null]) => ({
    path,
    heading,
  }));
}

/** The headings of a document, as a link names them. */
export function headingsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-"));
}
