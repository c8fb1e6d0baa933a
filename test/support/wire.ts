import { connect } from "node:net";

export interface WireAnswer {
  /** 0 when the answer is no HTTP. */
  status: number;
  /** The whole answer, headers included. */
  text: string;
}

/** A request as it goes over the wire, since `fetch` always sends a Host of its own. */
export function ask(port: number, lines: readonly string[], body = ""): Promise<WireAnswer> {
  return send(port, [...lines, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body]);
}

/** Sends these lines and reads until the server closes the connection. Rejects when it says nothing. */
export function send(port: number, lines: readonly string[]): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
    socket.setTimeout(10_000, () => socket.destroy(new Error("silence")));
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part;
    });
    // A response may be followed by a reset
    socket.on("error", (error) => text === "" && reject(error));
    socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text }));
  });
}

export const get = (port: number, path: string, ...headers: string[]) =>
  ask(port, [`GET ${path} HTTP/1.1`, ...headers]);
