// A separate program: `node guard-process.js <pid>` ends that process when its own standard input ends. Plain JavaScript, so that it starts
// at once and stays small.
const STOP_MS = 5_000;
const LOOK_MS = 100;
const pid = Number(process.argv[2]);

process.stdin.resume().once("close", () => {
  send("SIGTERM");
  const deadline = Date.now() + STOP_MS;
  setInterval(() => {
    if (send(0) && Date.now() < deadline) return;
    send("SIGKILL");
    process.exit();
  }, LOOK_MS);
});

/** Whether the process exists. */
function send(signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
