import { spawn } from "node:child_process";
import type { WriteLine } from "./find.ts";

export interface Tool {
  /** What it does, shown to the person who waits. */
  doing: string;
  command: string;
  args: string[];
  cwd?: string;
}

/**
 * Runs a command to its end and returns its standard output. On a terminal, one line shows the seconds and the last line of its standard
 * error. @throws Error with the command's last lines when it fails or is not installed.
 */
export async function runTool({ doing, command, args, cwd }: Tool, log: WriteLine): Promise<string> {
  log(`${doing} …`);
  const started = Date.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...(cwd ? { cwd } : {}) });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr = (written.stderr + text).slice(-4_000);
  });
  const ticker = process.stderr.isTTY ? setInterval(() => show(started, written.stderr), 500) : undefined;
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (err) => reject("code" in err && err.code === "ENOENT" ? new Error(`${command} is not installed`) : err));
      child.once("close", resolve);
    });
    if (code !== 0) throw new Error(`${command} failed: ${lastLine(written.stderr) || lastLine(written.stdout) || `exit ${code}`}`);
    return written.stdout;
  } finally {
    clearInterval(ticker);
    if (ticker) process.stderr.write("\r\x1b[K");
  }
}

function show(started: number, text: string): void {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`\r\x1b[K  ${seconds} s  ${lastLine(text).slice(0, 80)}`);
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ""
  );
}
