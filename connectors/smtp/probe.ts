import type { Socket } from "node:net";
import type { Etiquette } from "../../domain/verification/etiquette.ts";
import type { ProbeTranscript, SmtpReply } from "../../domain/verification/probe-outcome.ts";
import type { Egress } from "../net/egress.ts";

export interface ProbeQuestion {
  /** The server that receives email for the address. */
  exchange: string;
  email: string;
  /**
   * An address at the same domain that no one uses, to detect a domain that accepts every address; null if this domain
   * is known not to.
   */
  nobody: string | null;
  /** The host name that we send in EHLO. */
  helo: string;
}

const MOST_LINE = 2_000;
const MOST_LINES = 100;

/**
 * Asks a mail server whether it accepts email for an address, and never sends an email: EHLO, the null sender, RCPT,
 * RSET, QUIT (rules/verification 3). `beforeAddress` runs before the address is sent to the server; if it throws, the
 * address is not sent. Whatever the server does, the call ends within the limits. It throws only when the signal fires
 * or `beforeAddress` throws.
 */
export async function probeAddress(
  egress: Pick<Egress, "openTcp">,
  { exchange, email, nobody, helo }: ProbeQuestion,
  { port, connectMs, conversationMs }: Pick<Etiquette, "port" | "connectMs" | "conversationMs">,
  beforeAddress: () => Promise<void>,
  signal: AbortSignal,
): Promise<ProbeTranscript> {
  const transcript: ProbeTranscript = { stage: "CONNECT", refusal: null, address: null, nobody: null };
  let socket: Socket;
  try {
    socket = await egress.openTcp(exchange, port, { timeoutMs: connectMs, signal });
  } catch {
    signal.throwIfAborted();
    return transcript;
  }
  const talk = conversation(socket, AbortSignal.any([signal, AbortSignal.timeout(conversationMs)]));
  try {
    transcript.stage = "GREETING";
    for (const [stage, command] of [
      ["GREETING", null],
      ["EHLO", `EHLO ${helo}`],
      ["MAIL", "MAIL FROM:<>"],
    ] as const) {
      transcript.stage = stage;
      const reply = await talk.say(command);
      if (reply === null || reply.code >= 300) {
        signal.throwIfAborted();
        return { ...transcript, refusal: reply };
      }
    }
    await beforeAddress();
    transcript.stage = "RCPT";
    transcript.address = await talk.say(`RCPT TO:<${email}>`);
    if (transcript.address !== null && transcript.address.code < 300 && nobody !== null)
      transcript.nobody = await talk.say(`RCPT TO:<${nobody}>`);
    signal.throwIfAborted();
    if (transcript.address !== null) await talk.leave();
    return transcript;
  } finally {
    socket.destroy();
  }
}

/**
 * An SMTP conversation over one socket: sends a command and returns the reply; null once the server has closed the
 * connection, violated the protocol or exceeded the deadline.
 */
function conversation(socket: Socket, deadline: AbortSignal) {
  let received = "";
  let lines: string[] = [];
  let isOver = false;
  let waiting: ((reply: SmtpReply | null) => void) | null = null;
  const resolveReply = (reply: SmtpReply | null) => {
    const settled = waiting;
    waiting = null;
    settled?.(reply);
  };
  const closeConversation = () => {
    isOver = true;
    resolveReply(null);
  };
  socket.setEncoding("latin1");
  socket.on("error", closeConversation).on("close", closeConversation).on("end", closeConversation);
  deadline.addEventListener("abort", closeConversation, { once: true });
  socket.on("data", (part: string) => {
    received += part;
    for (let at = received.indexOf("\n"); at >= 0; at = received.indexOf("\n")) {
      const line = received.slice(0, at).replace(/\r$/, "");
      received = received.slice(at + 1);
      if (!/^\d{3}(?:[ -]|$)/.test(line) || lines.push(line) > MOST_LINES) return closeConversation();
      if (line[3] === "-") continue;
      const text = lines.map((each) => each.slice(4)).join(" ");
      lines = [];
      // A reply to no command is ignored
      resolveReply({ code: Number(line.slice(0, 3)), text });
    }
    if (received.length > MOST_LINE) closeConversation();
  });

  function say(command: string | null): Promise<SmtpReply | null> {
    if (isOver || deadline.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      waiting = resolve;
      if (command !== null) socket.write(`${command}\r\n`);
    });
  }

  /** Sends RSET and QUIT. The server's answer does not matter. */
  async function quit(): Promise<void> {
    await say("RSET");
    if (!isOver) await new Promise<void>((resolve) => socket.end("QUIT\r\n", () => resolve()));
  }

  return { say, leave: quit };
}
