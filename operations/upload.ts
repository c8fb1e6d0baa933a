import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../domain/errors.ts";
import type { Context } from "./context.ts";

/** The file of a request while it arrives. Its bytes can be read once. */
export interface ArrivingFile {
  /** Without folders. */
  name: string;
  /** The content type that the caller states, such as `text/csv`. */
  mediaType: string;
  bytes: AsyncIterable<Buffer>;
}

/** The content that a verb read from the bytes. */
export interface ReceivedFile<T> {
  content: T;
  /** Called when the call has ended, however it ended. What the verb has kept by then stays. */
  discard?(): Promise<void>;
}

/** How a verb takes the file of a multipart body, whose other parts are its fields. */
export interface FileInput<T = unknown> {
  /** A larger file is PAYLOAD_TOO_LARGE, which its bytes throw as soon as they are too many. */
  maxBytes: number;
  /**
   * Takes the file as it arrives, before the fields that follow it are known and before an idempotency key is looked
   * up. It reads all of it or throws. When its bytes throw, the connection broke or the body is wrong: then it leaves
   * nothing behind.
   */
  receive(ctx: Context, file: ArrivingFile): Promise<ReceivedFile<T>>;
}

/** The field `file` of a verb that takes one. */
export class Upload<T = unknown> {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly content: T;

  constructor({ name, mediaType }: ArrivingFile, { size, digest }: { size: number; digest: string }, content: T) {
    [this.name, this.mediaType, this.size, this.digest, this.content] = [name, mediaType, size, digest, content];
  }

  /** The values by which a repeated request is compared. */
  toJSON(): unknown {
    return [this.name, this.mediaType, this.digest];
  }
}

/** The schema of the field `file`, for a verb whose `file.receive` makes a `T` of it. */
export function uploadField<T>() {
  return z
    .unknown()
    .meta({ type: "string", format: "binary" })
    .transform((value, context): Upload<T> => {
      if (value instanceof Upload) return value;
      context.addIssue({
        code: "custom",
        message: "is required: send the file as the form part with this name",
        params: { code: "REQUIRED" },
      });
      return z.NEVER;
    });
}

/** Receives the file of one call. */
export interface Receiver {
  maxBytes: number;
  /** Reads the file, counting and hashing its bytes. */
  receive(file: ArrivingFile): Promise<Upload>;
  /** Undoes what the verb has not kept. */
  discard(): Promise<void>;
}

export function receiverOf(ctx: Context, input: FileInput): Receiver {
  let received: ReceivedFile<unknown> | null = null;
  return {
    maxBytes: input.maxBytes,
    async receive(file) {
      const hash = createHash("sha256");
      let [size, isRead] = [0, false];
      const bytes = async function* () {
        for await (const part of file.bytes) {
          size += part.length;
          if (size > input.maxBytes) throw fileTooLarge(input.maxBytes);
          hash.update(part);
          yield part;
        }
        isRead = true;
      };
      received = await input.receive(ctx, { ...file, bytes: bytes() });
      if (!isRead) throw new Error("A verb has not read its file to the end"); // its digest would be that of another file
      return new Upload(file, { size, digest: hash.digest("hex") }, received.content);
    },
    discard: async () => received?.discard?.(),
  };
}

export function fileTooLarge(limit: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The file must have at most ${limit} bytes`, { limit });
}
