import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SHELL = 'read -r _; kill -TERM "$1"; n=0; while kill -0 "$1" && [ $n -lt 5 ]; do sleep 1; n=$((n+1)); done; kill -KILL "$1"';
const PROGRAM = fileURLToPath(new URL("guard-process.js", import.meta.url));

/**
 * Ends a server when this process is gone, even by SIGKILL: another process reads a pipe that only this one keeps open. That is a shell,
 * which weighs next to nothing. Windows has none, so there it is a Node.
 */
export function endWithThisProcess(pid: number, exited: Promise<unknown>, platform: NodeJS.Platform = process.platform): void {
  const isShell = platform !== "win32";
  const command = isShell ? "sh" : process.execPath;
  const args = isShell ? ["-c", SHELL, "guard"] : [PROGRAM];
  const guard = spawn(command, [...args, String(pid)], { stdio: ["pipe", "ignore", "ignore"], detached: true, windowsHide: true });
  // Without it the pid file remains, and the next start ends the orphan
  guard.on("error", () => {});
  guard.unref();
  void exited.then(() => guard.kill("SIGKILL"));
}
