import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { programEnv } from "../../config.ts";
import { cacheFolder } from "../../embedded/programs/cache.ts";

const MINUTES_5 = 300_000;
/** Go compiles some thousand packages for the largest program. */
const MINUTES_20 = 1_200_000;
const NODE_FIRST = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

/** Runs a program of other people to its end. The error of a failure has its output. */
export async function runTool(
  program: string,
  args: string[],
  cwd: string,
  more: Record<string, string> = {},
  timeout = MINUTES_5,
): Promise<string> {
  const env = { ...process.env, PATH: NODE_FIRST, ...more };
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd,
      env,
      timeout,
      maxBuffer: 64 * 1_048_576,
    });
    return stdout;
  } catch (err) {
    const said =
      err instanceof Error && "stdout" in err && "stderr" in err ? `${err.stdout}\n${err.stderr}` : String(err);
    throw new Error(`${program} ${args.join(" ")}: ${said.slice(-4_000)}`, { cause: err });
  }
}

/** How many clients did what, for the last line. */
export const outcomes = { passed: 0, failed: 0, skipped: 0 };

/** Only what the tools need may be missing: a client that fails is a failure. `run` says what it has shown. */
export async function attempt(
  name: string,
  install: () => Promise<string>,
  run: (tools: string) => Promise<string>,
): Promise<void> {
  let tools: string;
  try {
    tools = await install();
  } catch (err) {
    outcomes.skipped++;
    console.log(`skipped ${name}: ${err instanceof Error ? err.message.split("\n")[0] : String(err)}`);
    return;
  }
  try {
    console.log(`passed  ${name}: ${await run(tools)}`);
    outcomes.passed++;
  } catch (err) {
    outcomes.failed++;
    console.error(`FAILED  ${name}:`, err);
    process.exitCode = 1;
  }
}

/** A folder in the cache with exactly these packages of npm; none of their install scripts has run. */
export async function npmFolder(name: string, packages: Record<string, string>): Promise<string> {
  const folder = join(cacheFolder(programEnv()), `${name}-${Object.values(packages).join("-")}`);
  const mark = join(folder, "installed");
  if (existsSync(mark)) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: packages }),
  );
  await runTool("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  await writeFile(mark, "");
  return folder;
}

/** The path of a program that Go builds from its module, once; the module's checksum is the public one. */
export async function goProgram(module: string): Promise<string> {
  const [path = "", version = ""] = module.split("@");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = join(cacheFolder(programEnv()), `go-${name}-${version}`);
  const program = join(folder, process.platform === "win32" ? `${name}.exe` : name);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await runTool("go", ["install", module], folder, { GOBIN: folder }, MINUTES_20);
  return program;
}

/**
 * A folder in the cache with a virtual environment of Python that has this package, and others that it needs beside its
 * own.
 */
export async function pipFolder(name: string, requirement: string, ...more: string[]): Promise<string> {
  const folder = join(cacheFolder(programEnv()), `${name}-${requirement.replace(/.*==/, "")}`);
  const mark = join(folder, "installed");
  if (existsSync(mark)) return folder;
  await mkdir(folder, { recursive: true });
  await runTool("python3", ["-m", "venv", "venv"], folder);
  await runTool(join(folder, "venv/bin/pip"), ["install", "-q", requirement, ...more], folder);
  await writeFile(mark, "");
  return folder;
}
