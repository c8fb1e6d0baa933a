import type { SMTPServer } from "smtp-server";
import type { Answer, Stage } from "./smtp-answers.ts";

export type Connection = SMTPServer["connections"] extends Set<infer C> ? C : never;
/** Gives the reply: the library's acceptance, or the refusal. */
export type Reply = (refusal?: Refusal) => void;

/** The library sends `responseCode` and the message of this error. */
export class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

/** Plays faults on live connections; `stop` forgets those that are still being played. */
export function faultPlayer() {
  const timers = new Set<NodeJS.Timeout>();

  function play(connection: Connection, answer: Answer, stage: Stage, reply: Reply): void {
    if (answer.at !== stage) reply();
    else if (answer.delayMs) later(answer.delayMs, () => act(connection, answer, reply));
    else act(connection, answer, reply);
  }

  function later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      then();
    }, ms);
    timers.add(timer);
  }

  function act(connection: Connection, answer: Answer, reply: Reply): void {
    if (answer.act === "drop") connection._socket.destroy();
    else if (answer.act === "hold") void answer.until.then(() => reply());
    else if (answer.act === "refuse") reply(new Refusal(answer.code, answer.text));
    else if (answer.act !== "silence") {
      if (answer.act === "drip") dripNextReply(connection, answer.everyMs);
      reply();
    }
  }

  function dripNextReply(connection: Connection, everyMs: number): void {
    const send = connection.send.bind(connection);
    connection.send = (code, text) => {
      connection.send = send;
      const bytes = Buffer.from(`${code} ${text}\r\n`);
      let written = 0;
      const timer = setInterval(() => {
        if (written < bytes.length && connection._socket.writable)
          connection._socket.write(bytes.subarray(written, ++written));
        else {
          clearInterval(timer);
          timers.delete(timer);
        }
      }, everyMs);
      timers.add(timer);
    };
  }

  function stop(): void {
    for (const timer of timers) clearTimeout(timer);
  }

  return { play, stop };
}
