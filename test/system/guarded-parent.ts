import { spawn } from "node:child_process";
import { endWithThisProcess } from "../../embedded/child.ts";

/** A process with two servers that must end with it, one of which ignores SIGTERM. It prints their process ids. The argument is the platform. */
const [, , platform] = process.argv;
const servers = ["", "trap '' TERM; "].map((trap) =>
  spawn("sh", ["-c", `${trap}while :; do sleep 0.1; done`], { stdio: "ignore" }),
);
for (const { pid = 0 } of servers) endWithThisProcess(pid, new Promise(() => {}), platform as NodeJS.Platform);
console.log(JSON.stringify(servers.map(({ pid }) => pid)));
