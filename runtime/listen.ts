import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { bareRefusal } from "../api/errors.ts";
import { isUploading } from "../api/multipart.ts";

const MOST_HEADER_BYTES = 16_384;

export interface Listener {
  port: number;
  server: Server;
  /** Accepts no new connections, lets running requests finish for 5 s, then cuts them. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** All interfaces when unset. */
  host?: string | undefined;
  /** The environment variable that changes the port. */
  variable?: string;
}

/**
 * Serves an app. Port 0 takes a free port. Time-outs and sizes are those of rules/limits 1.3.
 * @throws Error that names the port and the variable when the port is taken.
 */
export async function listen(
  app: RequestListener,
  port: number,
  { host, variable = "PORT" }: ListenOptions = {},
): Promise<Listener> {
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (req, res) =>
      countHostHeaders(req) > 1 ? answerBareRefusal(req.socket, "A request must have one Host header") : app(req, res),
  );
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (err) =>
      reject(
        isTaken(err) ? new Error(`Port ${port} is taken: stop what holds it, or set ${variable} to another port`) : err,
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return { port: bound, server, close: () => close(server) };
}

function isTaken(err: Error): boolean {
  return "code" in err && err.code === "EADDRINUSE";
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 5_000);
  await closed;
  clearTimeout(cut);
}

function refuseUnreadable(err: Error, socket: Socket): void {
  if (!socket.writable) return;
  const code = "code" in err ? err.code : "";
  if (code === "HPE_HEADER_OVERFLOW") socket.end(bareRefusal(431, "VALIDATION_FAILED", "The headers are too large"));
  else if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    if (!isUploading(socket)) socket.destroy(); // said once for each request; an upload has its own time-out
  } else answerBareRefusal(socket, "The request is not HTTP");
}

/**
 * Counts the Host headers. Node keeps only the first of several, while a proxy in front may have used another one (RFC
 * 9112, 3.2).
 */
function countHostHeaders({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length;
}

function answerBareRefusal(socket: Socket, message: string): void {
  socket.end(bareRefusal(400, "VALIDATION_FAILED", message));
}
