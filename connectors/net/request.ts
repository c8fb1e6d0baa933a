import type { Readable } from "node:stream";
import { Agent, DecoratorHandler, type Dispatcher, errors, request } from "undici";
import { checkUrlPlace, type PlaceRules } from "../../domain/access/allowed-hosts.ts";
import { deadlineOf, failureOf, withinDeadline } from "./deadline.ts";
import type { Egress, EgressRequest } from "./egress.ts";
import { codeOf, EgressError } from "./egress-error.ts";

const CONNECT_TIMEOUT_MS = 15_000; // milliseconds; ends an attempt whose request has long been given up

/** Builds the HTTP side of the connector on top of its checked sockets. */
export function createRequest(
  open: Pick<Egress, "openTcp" | "openTls">,
  rules: PlaceRules,
): Pick<Egress, "request" | "close"> {
  const agent = new Agent({
    connect: ({ protocol, hostname, port }, callback) => {
      const isTls = protocol === "https:";
      const opened = (isTls ? open.openTls : open.openTcp)(hostname, Number(port) || (isTls ? 443 : 80), {
        timeoutMs: CONNECT_TIMEOUT_MS,
      });
      opened.then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      );
    },
    allowH2: false,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 30_000,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    headersTimeout: 0, // the deadline bounds the whole exchange
    bodyTimeout: 0,
  });

  return {
    async request(target, exchange) {
      const url = new URL(target);
      try {
        checkUrlPlace(url, rules);
      } catch (cause) {
        throw new EgressError("ADDRESS_BLOCKED", { cause });
      }
      const deadline = deadlineOf(exchange);
      const { method, headers = {}, body = null, mayBegin } = exchange;
      const dispatcher = mayBegin === undefined ? agent : agent.compose(askingBefore(mayBegin));
      try {
        const answer = await request(url, { dispatcher, method, headers, body, signal: deadline });
        return {
          statusCode: answer.statusCode,
          headers: answer.headers,
          ...(await excerptOf(answer.body, exchange, deadline)),
        };
      } catch (error) {
        throw failureOf(error, deadline, exchange, requestFailure);
      }
    },
    close: () => agent.destroy(),
  };
}

/** undici starts a request once it has a connection, and writes it in the same turn unless the start throws. */
function askingBefore(mayBegin: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const asking: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = asking.onRequestStart?.bind(asking);
    let hasBegun = false;
    asking.onRequestStart = (...started) => {
      // The same request is never written twice: the first one may have had its effect
      if (hasBegun) throw new EgressError("CONNECT_FAILED");
      if (!mayBegin()) throw new EgressError("NOT_BEGUN");
      hasBegun = true;
      start?.(...started);
    };
    return dispatch(options, asking);
  };
}

/**
 * Reads the body up to the limit, then destroys the rest together with the socket: the status decides the outcome, and
 * the body is only kept as a record.
 */
async function excerptOf(
  body: Readable,
  { maxBodyBytes, bodyTimeoutMs, signal }: EgressRequest,
  deadline: AbortSignal,
) {
  const limit = bodyTimeoutMs === undefined ? deadline : deadlineOf({ timeoutMs: bodyTimeoutMs, signal: deadline });
  const chunks: Buffer[] = [];
  let size = 0;
  const isBodyComplete = await withinDeadline(limit, readAll()).catch(() => false);
  if (!isBodyComplete) body.on("error", () => {}).destroy();
  signal?.throwIfAborted();
  return { bodyExcerpt: Buffer.concat(chunks).subarray(0, maxBodyBytes), isBodyComplete };

  async function readAll(): Promise<boolean> {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) return false;
    }
    return true;
  }
}

function requestFailure(cause: unknown): EgressError {
  if (/^ERR_(SSL|TLS)_/.test(codeOf(cause))) return new EgressError("TLS_FAILED", { cause });
  return new EgressError(isBadAnswer(cause) ? "RESPONSE_INVALID" : "CONNECT_FAILED", { cause });
}

/**
 * undici reports an invalid answer, such as an unrequested 101, as a broken socket, which can be told apart only by its
 * text.
 */
function isBadAnswer(cause: unknown): boolean {
  if (cause instanceof errors.HTTPParserError || cause instanceof errors.HeadersOverflowError) return true;
  return cause instanceof errors.SocketError && /^bad (response|upgrade)$/.test(cause.message);
}
