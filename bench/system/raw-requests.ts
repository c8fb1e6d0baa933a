import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A client whose connections have one request each at a time. It needs little CPU compared with the measured server.
 */
export interface RawClient {
  /** Repeats the requests for `forMs`. Every answer must have as many bytes as the first. */
  saturate(requests: readonly Buffer[], forMs: number): Promise<{ count: number; ms: number }>;
  /**
   * Sends `aSecond` requests per second. Returns the milliseconds from the time when each was due to the end of its
   * answer.
   */
  pace(requests: readonly Buffer[], aSecond: number, forMs: number): Promise<number[]>;
  close(): void;
}

export async function openRaw(port: number, connections: number): Promise<RawClient> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));

  async function exchange(socket: Socket, request: Buffer, length: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    let received = 0;
    const take = (part: Buffer) => {
      received += part.length;
      if (received < length) return;
      socket.off("data", take);
      resolve(received);
    };
    socket.on("data", take);
    socket.write(request);
    return promise;
  }

  async function lengthOf(request: Buffer | undefined): Promise<number> {
    const [socket] = sockets;
    if (socket === undefined || request === undefined) throw new Error("There is nothing to ask");
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    socket.once("data", resolve);
    socket.write(request);
    const first = await promise;
    if (!/^HTTP\/1\.1 (?:200|302) /.test(first.toString("latin1"))) throw new Error(first.toString("latin1"));
    return first.length;
  }

  return {
    async saturate(requests, forMs) {
      const length = await lengthOf(requests[0]);
      const started = performance.now();
      let count = 0;
      const work = async (socket: Socket) => {
        while (performance.now() - started < forMs) {
          const request = requests[count++ % requests.length];
          if (request !== undefined) await exchange(socket, request, length);
        }
      };
      await Promise.all(sockets.map(work));
      return { count, ms: performance.now() - started };
    },
    async pace(requests, aSecond, forMs) {
      const length = await lengthOf(requests[0]);
      const free = [...sockets];
      const waiting: (() => void)[] = [];
      const took: number[] = [];
      const under: Promise<void>[] = [];
      const started = performance.now();
      const one = async (dueAt: number, request: Buffer) => {
        if (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
        const socket = free.pop();
        if (socket === undefined) throw new Error("No connection is free");
        await exchange(socket, request, length);
        took.push(performance.now() - dueAt);
        free.push(socket);
        waiting.shift()?.();
      };
      const total = Math.floor((forMs / 1_000) * aSecond);
      for (let sent = 0; sent < total; ) {
        const due = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * aSecond));
        for (; sent < due; sent++)
          under.push(one(started + (sent / aSecond) * 1_000, requests[sent % requests.length] ?? Buffer.alloc(0)));
        await delay(1);
      }
      await Promise.all(under);
      return took;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay();
  await once(socket, "connect");
  return socket;
}
