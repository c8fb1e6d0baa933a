import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../embedded/ports.ts";
import { environmentOf, runService, type Service } from "../support/service.ts";

/** A program of one release, which can be killed and started again. */
export class Program {
  readonly #entry: string;
  readonly #variables: Record<string, string>;
  #service: Service | null = null;

  /** `root` is the folder of the release. */
  constructor(root: string, entry: string, variables: Record<string, string>) {
    this.#entry = join(root, entry);
    this.#variables = variables;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const [METRICS_PORT, API_METRICS_PORT] = [String(await freePort()), String(await freePort())];
    this.#service = runService({ ...this.#variables, METRICS_PORT, API_METRICS_PORT }, [], this.#entry);
    await this.#service.says(/workers ready|"ready"/);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const service = this.#service;
    this.#service = null;
    await service?.end(signal, 90_000);
  }
}

/** Runs a command of a release, and returns the last line that it prints. */
export async function runCommand(
  root: string,
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const entry = join(root, "api", "cli", `${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", entry, ...args], {
    env: environmentOf(variables),
  });
  return stdout.trim().split("\n").at(-1) ?? "";
}
