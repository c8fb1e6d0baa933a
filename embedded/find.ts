import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export type Log = (line: string) => void;

/** What of the environment the search looks at. */
export interface Env {
  PATH: string | undefined;
  HOME: string | undefined;
  XDG_CACHE_HOME: string | undefined;
}

/** A server program, and how to recognise one that can be used. */
export interface Program {
  name: string;
  /** What to do when none is found: names the variable to set. */
  remedy: string;
  /** The version of the program at `path`; throws when it does not run or is not supported. */
  check(path: string): Promise<string>;
}

/** A place that simply holds nothing, as opposed to one whose program cannot be used: only the latter is worth a line of log. */
export class Absent extends Error {}

/** One place to look. Returns a path or throws the reason why there is none. */
export interface Source {
  name: string;
  find(): Promise<string>;
}

export interface Found {
  path: string;
  version: string;
  source: string;
}

/**
 * The first source whose program answers with a supported version wins; the order is the caller's (running.md: binary named in
 * the environment, PATH, cache, vendor's download, package registries). An address in the environment needs no program.
 * @throws Error listing what was tried, why each failed and what to set.
 */
export async function find(program: Program, sources: readonly Source[], log: Log): Promise<Found> {
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

/** The binary that a variable names. */
export function named(variable: string, value: string | undefined): Source {
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

/** A check that asks `--version`, reads `pattern`'s first group and compares major and minor. */
export function versionCheck(pattern: RegExp, minimum: readonly [number, number]): Program["check"] {
  return async (path) => {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 15_000 });
    const version = pattern.exec(stdout)?.[1];
    if (!version) throw new Error(`${path} --version names no version`);
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

/** One line: a tool's last line of complaint says more than the command that failed. */
function reason(err: unknown): string {
  const text = err instanceof Error ? err.message : String(err);
  return text.trim().split("\n").slice(-1).join("").slice(0, 300);
}
