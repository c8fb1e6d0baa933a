import type { Server, Socket } from "node:net";
import hoodiecrow, { type ImapServer } from "hoodiecrow-imap";

export interface ImapOptions {
  certificate: { key: string; cert: string };
  user: string;
  password: string;
  /** Whether an access token lets the user in by XOAUTH2; without this function the method is not offered. */
  tokens?: (user: string, accessToken: string) => boolean;
  /** TLS from the first byte. Otherwise STARTTLS is offered, and LOGIN waits for it. */
  secure?: boolean;
  /** A free one unless said. */
  port?: number;
  /**
   * Of INBOX; each further folder has the next. Two servers at the same address must differ in it: their mails are not
   * the same.
   */
  uidValidity?: number;
  /** Capabilities that it lacks, such as MOVE. */
  without?: readonly string[];
  /** Commands that it refuses with NO, such as UID MOVE. */
  refuses?: readonly string[];
  /** What the folder for junk mail is called; Junk unless said. */
  junkName?: string;
  /** Whether clients may set keywords of their own; they may unless said. */
  allowsKeywords?: boolean;
}

export interface FakeImap {
  port: number;
  /** Changes what the owner of the mailbox changes in it: flags of a mail, or where it lies. */
  change(folder: string, uid: number, how: { flags: string[] } | { moveTo: string } | "delete"): void;
  /** Delivers a new mail and announces it to clients that idle in the folder (INBOX unless named). */
  deliver(raw: Buffer | string, folder?: string): void;
  /** The mails that are in a folder now, oldest first. */
  folder(name: string): { uid: number; flags: string[]; raw: Buffer }[];
  /** How many mails are in a folder now; 0 where there is no such folder. */
  count(name: string): number;
  /** Gives the folder another uidValidity from the next SELECT on, as after a restored server. */
  renumber(folder: string): void;
  setPassword(password: string): void;
  /** Cuts every connection without a word. */
  drop(): void;
  connections(): number;
  close(): Promise<void>;
}

// ENABLE is left out: imapflow would ask for CONDSTORE, and the server lacks half of the UID FETCH that this needs
const PLUGINS = [
  "ID",
  "STARTTLS",
  "SASL-IR",
  "AUTH-PLAIN",
  "NAMESPACE",
  "IDLE",
  "LITERALPLUS",
  "UNSELECT",
  "SPECIAL-USE",
  "UIDPLUS",
  "MOVE",
  "LOGINDISABLED",
];
const CONVERSATIONS = 100;

/** One mailbox on its own IMAP server with INBOX, Sent, Junk and Archive, on a port of 127.0.0.1. */
export async function startImap({
  certificate,
  user,
  password,
  tokens,
  secure = false,
  port = 0,
  uidValidity = 7,
  without = [],
  refuses = [],
  junkName = "Junk",
  allowsKeywords = true,
}: ImapOptions): Promise<FakeImap> {
  const account: { password: string; xoauth2: { accessToken: string | null } } = {
    password,
    xoauth2: { accessToken: null },
  };
  const server = hoodiecrow({
    plugins: [
      ...PLUGINS.filter((name) => !without.includes(name)),
      ...(tokens ? ["XOAUTH2", askAboutTokens(account, (token) => tokens(user, token))] : []),
      endIdleWithItsConnection,
      refuse(refuses),
    ],
    credentials: { ...certificate },
    secureConnection: secure,
    users: { [user]: account },
    storage: {
      INBOX: { uidvalidity: uidValidity, allowPermanentFlags: allowsKeywords },
      "": {
        separator: "/",
        folders: {
          Sent: { "special-use": "\\Sent", uidvalidity: uidValidity + 1 },
          [junkName]: { "special-use": "\\Junk", uidvalidity: uidValidity + 2, allowPermanentFlags: allowsKeywords },
          Archive: { "special-use": "\\Archive", uidvalidity: uidValidity + 3 },
        },
      },
    },
  });
  server.setMaxListeners(CONVERSATIONS);
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket) => {
    for (const each of sockets) if (each.destroyed) sockets.delete(each);
    sockets.add(socket);
  });

  function folderOf(name: string) {
    const folder = server.getMailbox(name);
    if (!folder) throw new Error(`The mailbox ${user} has no folder ${name}`);
    return folder;
  }

  function drop(): void {
    for (const socket of sockets) socket.destroy();
  }

  function deliver(raw: Buffer | string, folder = "INBOX"): void {
    server.appendMessage(
      folderOf(folder),
      [],
      false,
      (typeof raw === "string" ? Buffer.from(raw) : raw).toString("latin1"),
    );
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: portOf(server.server.address()),
    deliver,
    folder: (name) =>
      folderOf(name).messages.map(({ uid, flags, raw }) => ({
        uid,
        flags: [...flags],
        raw: Buffer.from(raw, "latin1"),
      })),
    count: (name) => server.getMailbox(name)?.messages.length ?? 0,
    change(name, uid, how) {
      const { messages } = folderOf(name);
      const index = messages.findIndex((message) => message.uid === uid);
      const message = messages[index];
      if (message === undefined) throw new Error(`No mail ${uid} in ${name}`);
      if (how !== "delete" && "flags" in how) message.flags.push(...how.flags);
      else {
        messages.splice(index, 1);
        if (how !== "delete") deliver(Buffer.from(message.raw, "latin1"), how.moveTo);
      }
    },
    renumber(name) {
      const folder = folderOf(name);
      folder.uidvalidity = (folder.uidvalidity ?? 1) + 1000;
    },
    setPassword(next) {
      account.password = next;
    },
    drop,
    connections: () => [...sockets].filter((each) => !each.destroyed).length,
    async close() {
      drop();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** The plugin compares the token it gets with one it was told, so it is told the same token while that is good. */
function askAboutTokens(
  account: { xoauth2: { accessToken: string | null } },
  isGood: (accessToken: string) => boolean,
) {
  return (server: ImapServer): void => {
    const authenticate = server.getCommandHandler("AUTHENTICATE XOAUTH2");
    server.setCommandHandler("AUTHENTICATE XOAUTH2", (conversation, parsed, line, done) => {
      const [, given = ""] =
        /\x01auth=Bearer ([^\x01]*)/.exec(Buffer.from(line.split(" ").at(-1) ?? "", "base64").toString()) ?? [];
      account.xoauth2.accessToken = isGood(given) ? given : null;
      authenticate(conversation, parsed, line, done);
    });
  };
}

function refuse(commands: readonly string[]) {
  return (server: ImapServer): void => {
    for (const command of commands) {
      server.setCommandHandler(command, (conversation, { tag }, _, done) => {
        conversation.send({ tag, command: "NO", attributes: [{ type: "TEXT", value: "Permission denied" }] });
        done();
      });
    }
  };
}

/** The server's 30-minute timer for an IDLE would outlive its connection and keep the process alive. */
function endIdleWithItsConnection(server: ImapServer): void {
  const idle = server.getCommandHandler("IDLE");
  server.setCommandHandler("IDLE", (conversation, parsed, line, done) => {
    idle(conversation, parsed, line, done);
    conversation.socket?.once("close", () => {
      if (typeof conversation.inputHandler === "function") conversation.inputHandler("DONE");
    });
  });
}

function portOf(address: ReturnType<Server["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The IMAP server has no port");
  return address.port;
}
