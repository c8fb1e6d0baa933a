import { connect, constants, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";

export interface RefusingTemporal {
  address: string;
  close(): void;
}

const PERMISSION_DENIED = "7";

/** A Temporal server in front of another one that refuses operator calls, as hosted ones do. */
export async function startRefusingTemporal(behind: string): Promise<RefusingTemporal> {
  const session = connect(`http://${behind}`);
  const server: Http2Server = createServer();
  server.on("stream", (stream, headers) => {
    if (String(headers[constants.HTTP2_HEADER_PATH]).includes("OperatorService")) {
      return stream.respond(
        { ":status": 200, "content-type": "application/grpc", "grpc-status": PERMISSION_DENIED, "grpc-message": "no" },
        { endStream: true },
      );
    }
    const asked = session.request(headers, { endStream: false });
    let trailers = {};
    // A refusal has headers alone
    asked.on("response", (answer) =>
      stream.respond(answer, "grpc-status" in answer ? { endStream: true } : { waitForTrailers: true }),
    );
    asked.on("trailers", (sent) => {
      trailers = sent;
    });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    asked.on("error", () => stream.close());
    stream.on("error", () => asked.close());
    asked.pipe(stream);
    return stream.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    address: `127.0.0.1:${port}`,
    close() {
      session.destroy();
      server.close();
    },
  };
}
