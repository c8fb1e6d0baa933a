import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { World } from "./world.ts";

export interface Said {
  out: string;
  err: string;
  code: number;
}

/** A command line of `api/cli/`, as its script in `package.json` runs it. */
export async function command(env: Record<string, string>, name: string, args: string[] = []): Promise<Said> {
  const { MONGODB_URI: _unset, ...inherited } = process.env;
  try {
    const run = promisify(execFile)(process.execPath, ["--no-warnings", `api/cli/${name}.ts`, ...args], {
      env: { ...inherited, ...env },
    });
    const { stdout, stderr } = await run;
    return { out: stdout, err: stderr, code: 0 };
  } catch (error) {
    const { stdout, stderr, code }: { stdout?: string; stderr?: string; code?: number } = Object(error);
    return { out: stdout ?? "", err: stderr ?? "", code: code ?? -1 };
  }
}

/** The settings of a deployment that uses a world's database. */
export function on({ mongodbUri }: World): Record<string, string> {
  return { MONGODB_URI: mongodbUri, SECRET_KEY: randomBytes(32).toString("base64") };
}
