import net from "node:net";
import { type FakeTcp, startTcp } from "./tcp.ts";

/** A proxy in front of a TCP server, whose answers arrive late. */
export interface SlowTcp extends FakeTcp {
  /** From now on whatever the server sends arrives this much later, in order. */
  delay(ms: number): void;
}

export async function startSlowTcp(target: { port: number; host?: string }): Promise<SlowTcp> {
  let delayMs = 0;
  const proxy = await startTcp((socket) => {
    const far = net.connect(target.port, target.host ?? "127.0.0.1");
    // Data that waits keeps its place when the delay changes
    let lastAt = 0;
    const later = (work: () => void) => {
      const at = Math.max(lastAt, performance.now() + delayMs);
      lastAt = at;
      setTimeout(work, at - performance.now());
    };
    far.on("data", (chunk) => later(() => socket.destroyed || socket.write(chunk)));
    far.on("end", () => later(() => socket.end()));
    far.on("error", () => socket.destroy());
    socket.on("data", (chunk) => far.write(chunk));
    socket.on("close", () => far.destroy());
  });
  return {
    ...proxy,
    delay(ms) {
      delayMs = ms;
    },
  };
}
