import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** A part of a stored file, with the field names of GridFS. `n` counts from zero. */
export interface FileChunk extends Owned {
  files_id: string;
  n: number;
  data: Buffer;
}

export const FileChunk = tenantModel<FileChunk>(
  "FileChunk",
  "attachments.chunks",
  { files_id: required, n: counter, data: { type: Buffer, required: true } },
  [{ fields: { files_id: 1, n: 1 }, unique: true }],
);
