import { once } from "node:events";
import { z } from "zod";

/** A connection to a browser by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/). */
export interface Bidi {
  /** @throws Error with what the browser says when it refuses the command. */
  send(method: string, params: object): Promise<unknown>;
  on(event: string, hear: (params: unknown) => void): void;
}

const Message = z.object({
  id: z.number().nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
type Message = z.output<typeof Message>;

export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const waiting = new Map<number, (message: Message | null) => void>();
  const hearing = new Map<string, (params: unknown) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = Message.parse(JSON.parse(String(data)));
    if (typeof message.id === "number") waiting.get(message.id)?.(message);
    else hearing.get(message.method ?? "")?.(message.params);
  });
  socket.addEventListener("close", () => {
    for (const tell of waiting.values()) tell(null);
  });
  return {
    async send(method, params) {
      const id = ++last;
      const answered = new Promise<Message | null>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const message = await answered;
      waiting.delete(id);
      if (message === null) throw new Error(`The browser closed the connection during ${method}`);
      if (message.error !== undefined) throw new Error(`${method}: ${message.error}: ${message.message}`);
      return message.result;
    },
    on: (event, hear) => void hearing.set(event, hear),
  };
}
