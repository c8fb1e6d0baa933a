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

/** The content that an operation read from the bytes. */
export interface ReceivedFile<T> {
  content: T;
  /** Called after the call has ended, successfully or not. Removes content that the operation has not stored. */
  discard?(): Promise<void>;
}

/** How an operation accepts the file of a multipart body, whose other parts are its fields. */
export interface FileInput<T = unknown> {
  /** A larger file is refused: reading its bytes throws PAYLOAD_TOO_LARGE at the limit. */
  maxBytes: number;
  /**
   * Receives the file as it arrives, before the fields after it and the idempotency key are known. It must read the
   * whole file or throw. If reading the bytes throws, because the connection broke or the body is invalid, it must
   * leave nothing stored.
   */
  receive(ctx: Context, file: ArrivingFile): Promise<ReceivedFile<T>>;
}

/** The field `file` of an operation that accepts one. */
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

/** The schema of the field `file`, for an operation whose `file.receive` returns a `T`. */
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
  /** Reads the file, and counts and hashes its bytes. */
  receive(file: ArrivingFile): Promise<Upload>;
  /** Removes content that the operation has not stored. */
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
      if (!isRead) throw new Error("An operation has not read its file to the end"); // its digest would be that of another file
      return new Upload(file, { size, digest: hash.digest("hex") }, received.content);
    },
    discard: async () => received?.discard?.(),
  };
}

export function fileTooLarge(limit: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The file must have at most ${limit} bytes`, { limit });
}
