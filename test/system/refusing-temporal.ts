import { connect, constants, createSecureServer, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import type { Certificate } from "../fakes/certificate.ts";

export interface RefusingTemporal {
  address: string;
  close(): void;
}

/** How a hosted server is reached; without it by plain HTTP/2, and by everyone. */
export interface HostedAccess {
  /** The server's own certificate. */
  certificate: Certificate;
  /** The key that each call must carry. */
  apiKey?: string;
  /** The authority whose certificates may log in. */
  clientAuthority?: string;
}

const [PERMISSION_DENIED, UNAUTHENTICATED] = ["7", "16"];

/** A Temporal server in front of another one that refuses operator calls, as hosted ones do. */
export async function startRefusingTemporal(behind: string, access?: HostedAccess): Promise<RefusingTemporal> {
  const session = connect(`http://${behind}`);
  const server = access === undefined ? createServer() : createTlsServer(access);
  server.on("stream", (stream, headers) => {
    const refuse = (status: string) =>
      stream.respond(
        { ":status": 200, "content-type": "application/grpc", "grpc-status": status, "grpc-message": "no" },
        { endStream: true },
      );
    if (access?.apiKey !== undefined && headers.authorization !== `Bearer ${access.apiKey}`)
      return refuse(UNAUTHENTICATED);
    if (String(headers[constants.HTTP2_HEADER_PATH]).includes("OperatorService")) return refuse(PERMISSION_DENIED);
    const asked = session.request({ ...headers, [constants.HTTP2_HEADER_SCHEME]: "http" }, { endStream: false });
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

function createTlsServer({ certificate, clientAuthority }: HostedAccess): Http2Server {
  const login =
    clientAuthority === undefined ? {} : { requestCert: true, rejectUnauthorized: true, ca: clientAuthority };
  return createSecureServer({ ...certificate, ...login });
}
