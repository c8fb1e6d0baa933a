import type { CrmSegment } from "../../domain/crm/contact.ts";
import { mixed, type Owned, tenantModel } from "../../mongo/schema.ts";

/** The segments of a connection as they were last read. `_id` is that of the connection. */
export interface CrmSegments extends Owned {
  segments: CrmSegment[];
  readAt: Date;
}

export const CrmSegments = tenantModel<CrmSegments>("CrmSegments", "crm_segments", {
  segments: mixed,
  readAt: { type: Date, required: true },
});
