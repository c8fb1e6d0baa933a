import { mixed, type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * A file of the store, with the field names of GridFS. `_id` is the id of the attachment. `length` and `chunkSize` are
 * in octets.
 */
export interface StoredFile extends Owned {
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
  /** Only uploads have `sha256`. */
  metadata: { contentType: string; sha256?: string };
}

export const StoredFile = tenantModel<StoredFile>("StoredFile", "attachments.files", {
  length: { type: Number, required: true },
  chunkSize: { type: Number, required: true },
  uploadDate: { type: Date, required: true },
  filename: { type: String, default: "" },
  metadata: mixed,
});
