declare module "hoodiecrow-imap" {
  import type { Server, Socket } from "node:net";

  interface Message {
    uid: number;
    flags: string[];
    /** Text with one character per byte. */
    raw: string;
  }

  interface Folder {
    messages: Message[];
    uidvalidity?: number;
    "special-use"?: string;
    allowPermanentFlags?: boolean;
  }

  interface Conversation {
    socket: Socket | null;
    /** Set while a command waits for further lines of the client, as IDLE does for its DONE. */
    inputHandler: false | ((line: string) => void);
    send(answer: { tag: string; command: string; attributes: { type: "TEXT"; value: string }[] }): void;
  }

  type Handler = (conversation: Conversation, parsed: { tag: string }, line: string, done: () => void) => void;

  export interface ImapServer {
    server: Server;
    listen(port: number, host: string, listening: () => void): void;
    close(closed: () => void): void;
    getMailbox(path: string): Folder | undefined;
    appendMessage(folder: Folder, flags: string[], internalDate: Date | false, raw: string): { message: Message };
    getCommandHandler(command: string): Handler;
    setCommandHandler(command: string, handler: Handler): void;
    setMaxListeners(count: number): void;
  }

  export default function hoodiecrow(options: {
    plugins: (string | ((server: ImapServer) => void))[];
    credentials: { key: string; cert: string };
    secureConnection?: boolean;
    users: Record<string, { password: string }>;
    storage: Record<string, unknown>;
  }): ImapServer;
}
