import { once } from "node:events";
import net from "node:net";

/** A TCP server, for what no HTTP or mail server would send. */
export interface FakeTcp {
  port: number;
  /** How many connections it has seen. */
  connections(): number;
  /** How many of them are open. */
  open(): number;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1 that treats each connection as it is told. */
export async function startTcp(serve: (socket: net.Socket) => void): Promise<FakeTcp> {
  let connections = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => {})); // the far side may reset at any time
    socket.once("close", () => sockets.delete(socket));
    serve(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as net.AddressInfo; // the address of a TCP server is never text
  return { port, connections: () => connections, open: () => sockets.size, close };

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
}
