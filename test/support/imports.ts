import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Import {
  name: string;
  /** Type imports vanish when the code runs. */
  isType: boolean;
}

/** The modules that a source file names at the start of a line: its imports and its re-exports. */
export function importsOf(text: string): Import[] {
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
  return [...found].map(([, type, name = ""]) => ({ name, isType: type !== undefined }));
}

/** Files of the project that a source file imports: at once, later by `import()`, or for a type alone. */
export function importedFiles(path: string, text: string): string[] {
  const names = [
    ...importsOf(text).map(({ name }) => name),
    ...[...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, name = ""]) => name),
  ];
  return names.filter((name) => name.startsWith(".")).map((name) => join(path, "..", name));
}

/**
 * Files of the project that a source file loads, at once or when it calls `import()`. Relative to the root of the
 * project.
 */
function loadedBy(path: string): string[] {
  if (!existsSync(path) || !/\.[jt]sx?$/.test(path)) return [];
  const text = readFileSync(path, "utf8");
  const later = [...text.matchAll(/\bimport\("(\.[^"]+)"\)|new URL\("(\.[^"]+\.[jt]sx?)", import\.meta\.url\)/g)];
  const names = [
    ...importsOf(text).flatMap(({ name, isType }) => (isType ? [] : name)),
    ...later.map(([, one, other]) => one ?? other ?? ""),
  ];
  return names.filter((name) => name.startsWith(".")).map((name) => join(path, "..", name));
}

/** Answers which files a file loads, directly or through others, itself included. It reads each file once. */
export function importGraph(): (path: string) => Set<string> {
  const direct = new Map<string, string[]>();
  const of = (path: string) => {
    const known = direct.get(path) ?? loadedBy(path);
    direct.set(path, known);
    return known;
  };
  return (path) => {
    const reached = new Set([path]);
    for (const file of reached) for (const next of of(file)) reached.add(next);
    return reached;
  };
}

/** Source files of the given folders, relative to the root of the project. */
export function sourcesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.[jt]sx?$/.test(file) && !file.startsWith("dist/"))
      .map((file) => join(folder, file)),
  );
}
